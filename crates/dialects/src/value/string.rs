//! Strings as models write them.

use super::json::{Style, To};
use crate::reader::{Read, Reader};

impl Reader {
    /// Reads a string and writes it with quotes.
    #[inline]
    pub(super) async fn string(&mut self, byte: u8, to: To, style: Style) -> Read {
        // Most strings need no care and are all there.
        if byte == b'"' && !style.python && self.copy_string(to) {
            return Ok(());
        }
        self.any_string(byte, to, style).await
    }

    async fn any_string(&mut self, byte: u8, to: To, style: Style) -> Read {
        self.put(to, "\"");
        if let Some(quote) = style.quote.filter(|quote| quote.as_bytes().first() == Some(&byte)) {
            self.raw_string(quote, to).await?;
        } else {
            loop {
                let quote = self.byte().await?;
                if quote == b'\'' && !style.python {
                    self.out.mend();
                }
                self.quoted(quote, to, style).await?;
                if !style.python {
                    break;
                }
                // Python joins strings that stand side by side.
                self.blanks().await;
                if !matches!(self.peek().await, Some(b'"' | b'\'')) {
                    break;
                }
            }
        }
        self.put(to, "\"");
        Ok(())
    }

    /// Reads a string between two tokens: everything in it is as it is.
    async fn raw_string(&mut self, quote: &str, to: To) -> Read {
        let first = quote.as_bytes().first().copied().unwrap_or_default();
        self.bump(quote.len());
        loop {
            let rest = self.rest();
            let end = rest.bytes().position(|byte| byte == first).unwrap_or(rest.len());
            let piece = rest.get(..end).unwrap_or_default().to_owned();
            self.put_text(to, &piece);
            self.bump(end);
            self.byte().await?;
            if self.rest().as_bytes().first() == Some(&first) {
                if self.eat(quote).await {
                    return Ok(());
                }
                self.put_letter(to, char::from(first));
                self.bump(1);
            }
        }
    }

    async fn quoted(&mut self, quote: u8, to: To, style: Style) -> Read {
        self.bump(1);
        let triple = style.python
            && self.peek().await == Some(quote)
            && self.peek_at(1).await == Some(quote);
        if triple {
            self.bump(2);
        }
        loop {
            let special = |byte: u8| byte == quote || byte == b'\\' || byte == b'"' || byte < b' ';
            self.copy(to, special);
            let byte = self.byte().await?;
            match byte {
                _ if !special(byte) => {}
                _ if byte == quote => {
                    if !triple {
                        self.bump(1);
                        return Ok(());
                    }
                    if self.peek_at(1).await == Some(quote) && self.peek_at(2).await == Some(quote)
                    {
                        self.bump(3);
                        return Ok(());
                    }
                    self.put_letter(to, char::from(quote));
                    self.bump(1);
                }
                b'\\' => self.escaped(to, style).await?,
                _ => {
                    if byte < b' ' && !triple {
                        self.out.mend();
                    }
                    self.put_letter(to, char::from(byte));
                    self.bump(1);
                }
            }
        }
    }

    async fn escaped(&mut self, to: To, style: Style) -> Read {
        self.bump(1);
        let byte = self.byte().await?;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
                let pair = [b'\\', byte];
                self.put(to, std::str::from_utf8(&pair).unwrap_or_default());
                self.bump(1);
                return Ok(());
            }
            b'u' => {
                self.bump(1);
                return self.unicode(to).await;
            }
            b'\'' | b'`' => self.put_letter(to, char::from(byte)),
            b'0' => self.put_letter(to, '\0'),
            b'x' => {
                let digits = [self.peek_at(1).await, self.peek_at(2).await];
                let value = digits.iter().try_fold(0, |value, digit| {
                    Some(value * 16 + char::from((*digit)?).to_digit(16)?)
                });
                match value.and_then(char::from_u32) {
                    Some(letter) => {
                        self.put_letter(to, letter);
                        self.bump(2);
                    }
                    None => self.put(to, "\\\\x"),
                }
            }
            // A line that goes on behind its end.
            b'\n' if style.python => {}
            b'\n' => self.put_letter(to, '\n'),
            // Not an escape at all: a path, or a regular expression.
            _ => {
                self.put(to, "\\\\");
                if !style.python {
                    self.out.mend();
                }
                return Ok(());
            }
        }
        if !style.python {
            self.out.mend();
        }
        self.bump(1);
        Ok(())
    }

    /// Reads what is behind `\u`. Half a pair is nothing that JSON could carry.
    async fn unicode(&mut self, to: To) -> Read {
        let Some(unit) = self.four_digits(0).await else {
            self.out.mend();
            self.put(to, "\\\\u");
            return Ok(());
        };
        let mut length = 4;
        let whole = match unit {
            0xD800..0xDC00 => {
                let pair = self.peek_at(4).await == Some(b'\\')
                    && self.peek_at(5).await == Some(b'u')
                    && matches!(self.four_digits(6).await, Some(0xDC00..0xE000));
                length = if pair { 10 } else { 4 };
                pair
            }
            0xDC00..0xE000 => false,
            _ => true,
        };
        if whole {
            let digits = self.rest().get(..length).unwrap_or_default().to_owned();
            self.put(to, "\\u");
            self.put(to, &digits);
        } else {
            self.out.mend();
            self.put(to, "\u{fffd}");
        }
        self.bump(length);
        Ok(())
    }

    async fn four_digits(&mut self, ahead: usize) -> Option<u32> {
        let mut value = 0;
        for place in 0..4 {
            let digit = char::from(self.peek_at(ahead + place).await?).to_digit(16)?;
            value = value * 16 + digit;
        }
        Some(value)
    }
}
