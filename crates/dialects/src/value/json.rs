//! JSON as models really write it, read as it arrives and written out as JSON should be.
//!
//! Nothing is built: a value goes straight from the text to where it is wanted, in one pass, with
//! what is open on a stack of its own.

use super::{escape, number};
pub(crate) use crate::reader::To;
use crate::reader::{Read, Reader, Stop};

/// The deepest nesting that is read.
const DEEPEST: usize = 512;

/// How values are written besides JSON's own way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// Python: tuples, strings side by side, triple quotes.
    pub(crate) python: bool,
    /// A token that opens and closes a string.
    pub(crate) quote: Option<&'static str>,
}

impl Style {
    pub(crate) const JSON: Self = Self { python: false, quote: None };
    pub(crate) const PYTHON: Self = Self { python: true, quote: None };
}

/// Something that is open.
struct Open {
    /// What closes it.
    close: u8,
    /// Whether it holds something.
    filled: bool,
}

enum State {
    /// A value, or the end of a list.
    Value,
    /// A key, or the end of an object.
    Key,
    /// A comma or an end.
    After,
}

impl Reader {
    /// Skips blanks and comments.
    pub(crate) async fn gap(&mut self) {
        loop {
            self.blanks().await;
            if self.peek().await != Some(b'/') {
                return;
            }
            if self.eat("//").await {
                self.through("\n").await;
            } else if self.eat("/*").await {
                self.through("*/").await;
            } else {
                return;
            }
            self.out.mend();
        }
    }

    /// Reads up to and with the end of a comment.
    async fn through(&mut self, end: &str) {
        while self.peek().await.is_some() {
            if self.eat(end).await {
                return;
            }
            // Past this letter, and on to where the end may begin.
            let rest = self.rest();
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let after = rest.get(first..).unwrap_or_default();
            let skip = after.find(end.get(..1).unwrap_or_default()).unwrap_or(after.len());
            self.bump(first + skip);
        }
    }

    /// Whether what comes next ends a payload that was not closed: a marker, or a fence.
    async fn sees_end(&mut self) -> bool {
        self.marker().await.is_some() || self.sees("```").await
    }

    /// Reads one value.
    pub(crate) async fn value(&mut self, to: To, style: Style) -> Read {
        let mut open: Vec<Open> = Vec::new();
        let mut state = State::Value;
        loop {
            self.gap().await;
            let byte = self.expect().await?;
            match state {
                State::Value => match byte {
                    b'{' | b'[' | b'(' => {
                        if byte == b'(' && !style.python || open.len() >= DEEPEST {
                            return Err(Stop::Broken);
                        }
                        self.comma(&mut open, to);
                        self.bump(1);
                        self.put(to, if byte == b'{' { "{" } else { "[" });
                        let close = match byte {
                            b'{' => b'}',
                            b'[' => b']',
                            _ => b')',
                        };
                        open.push(Open { close, filled: false });
                        state = if byte == b'{' { State::Key } else { State::Value };
                        continue;
                    }
                    // The end of a list, or a comma that nothing follows.
                    b']' | b')' | b'}' if open.last().is_some_and(|it| it.close != b'}') => {
                        state = State::After;
                        continue;
                    }
                    _ if open.last().is_some_and(|it| it.close != b'}')
                        && !is_value(byte, style)
                        && self.sees_end().await =>
                    {
                        state = State::After;
                        continue;
                    }
                    _ => {
                        self.comma(&mut open, to);
                        self.scalar(byte, to, style).await?;
                    }
                },
                State::Key => match byte {
                    b'}' | b']' => {
                        state = State::After;
                        continue;
                    }
                    b',' => {
                        self.bump(1);
                        self.out.mend();
                        continue;
                    }
                    _ if !is_key(byte, style) && self.sees_end().await => {
                        state = State::After;
                        continue;
                    }
                    _ => {
                        self.comma(&mut open, to);
                        self.key(to, style).await?;
                        self.colon().await?;
                        self.put(to, ":");
                        // The value of a key is not one more of the object's entries.
                        if let Some(last) = open.last_mut() {
                            last.filled = false;
                        }
                        state = State::Value;
                        continue;
                    }
                },
                State::After => match byte {
                    b',' => {
                        self.bump(1);
                        state = self.next_entry(&open).await?;
                        continue;
                    }
                    b'}' | b']' | b')' => {
                        if !self.close(byte, &mut open, to) {
                            // One too many: it vanishes.
                            self.bump(1);
                            self.out.mend();
                        }
                    }
                    _ if self.sees_end().await => {
                        self.out.mend();
                        while let Some(last) = open.pop() {
                            self.put(to, if last.close == b'}' { "}" } else { "]" });
                        }
                    }
                    _ => return Err(Stop::Broken),
                },
            }
            if open.is_empty() {
                return Ok(());
            }
            if let Some(last) = open.last_mut() {
                last.filled = true;
            }
            state = State::After;
        }
    }

    /// Puts the comma before another entry.
    fn comma(&mut self, open: &mut [Open], to: To) {
        if let Some(last) = open.last_mut() {
            if last.filled {
                self.put(to, ",");
            }
            last.filled = true;
        }
    }

    /// What comes behind a comma.
    async fn next_entry(&mut self, open: &[Open]) -> Read<State> {
        self.gap().await;
        let byte = self.expect().await?;
        let object = open.last().is_some_and(|it| it.close == b'}');
        if matches!(byte, b'}' | b']' | b')') {
            self.out.mend();
        }
        Ok(if object { State::Key } else { State::Value })
    }

    /// Reads a closing bracket: closes what it closes, and what was left open inside that. False
    /// when it closes nothing that is open.
    fn close(&mut self, bracket: u8, open: &mut Vec<Open>, to: To) -> bool {
        let Some(depth) = open.iter().rposition(|it| it.close == bracket) else { return false };
        if depth + 1 < open.len() {
            self.out.mend();
        }
        for closed in open.drain(depth..).rev() {
            self.put(to, if closed.close == b'}' { "}" } else { "]" });
        }
        self.bump(1);
        true
    }

    pub(crate) async fn colon(&mut self) -> Read {
        self.gap().await;
        match self.expect().await? {
            b':' => self.bump(1),
            // Python's way, and Ruby's.
            b'=' => {
                self.bump(1);
                if self.peek().await == Some(b'>') {
                    self.bump(1);
                }
                self.out.mend();
            }
            _ => return Err(Stop::Broken),
        }
        Ok(())
    }

    /// Reads a key and writes it with quotes.
    pub(crate) async fn key(&mut self, to: To, style: Style) -> Read {
        let byte = self.expect().await?;
        if matches!(byte, b'"' | b'\'') || self.sees_quote(byte, style).await {
            return self.string(byte, to, style).await;
        }
        if !is_key(byte, style) {
            return Err(Stop::Broken);
        }
        if style.quote.is_none() {
            self.out.mend();
        }
        let word = self.word().await;
        if word.is_empty() {
            return Err(Stop::Broken);
        }
        self.put(to, "\"");
        self.put(to, &word);
        self.put(to, "\"");
        Ok(())
    }

    /// Reads a word: a name without quotes.
    pub(crate) async fn word(&mut self) -> String {
        let mut word = String::new();
        loop {
            let rest = self.rest();
            let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.');
            let end = rest.find(|c| !part(c));
            word.push_str(rest.get(..end.unwrap_or(rest.len())).unwrap_or_default());
            let read = end.unwrap_or(rest.len());
            self.bump(read);
            if end.is_some() || !self.more().await {
                return word;
            }
        }
    }

    async fn sees_quote(&mut self, byte: u8, style: Style) -> bool {
        match style.quote {
            Some(quote) => quote.as_bytes().first() == Some(&byte) && self.sees(quote).await,
            None => false,
        }
    }

    async fn scalar(&mut self, byte: u8, to: To, style: Style) -> Read {
        match byte {
            b'"' | b'\'' => self.string(byte, to, style).await,
            b'-' | b'+' | b'.' | b'0'..=b'9' => self.number(to).await,
            _ if self.sees_quote(byte, style).await => self.string(byte, to, style).await,
            _ if byte.is_ascii_alphabetic() => self.literal(to, style).await,
            _ => Err(Stop::Broken),
        }
    }

    async fn number(&mut self, to: To) -> Read {
        let mut text = String::new();
        while let Some(byte) = self.peek().await {
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_')) {
                break;
            }
            text.push(char::from(byte));
            self.bump(1);
        }
        if number::is_json(&text) {
            self.put(to, &text);
            return Ok(());
        }
        if let Some(mended) = number::mended(&text) {
            self.out.mend();
            self.put(to, &mended);
            return Ok(());
        }
        match text.trim_start_matches(['+', '-']) {
            "Infinity" | "inf" | "NaN" => {
                self.out.mend();
                self.put(to, &escape::quoted(&text));
                Ok(())
            }
            _ => Err(Stop::Broken),
        }
    }

    async fn literal(&mut self, to: To, style: Style) -> Read {
        let word = self.word().await;
        let json = match word.as_str() {
            "true" | "false" | "null" => {
                self.put(to, &word);
                return Ok(());
            }
            "True" | "TRUE" => "true",
            "False" | "FALSE" => "false",
            "None" | "undefined" | "NULL" => "null",
            "NaN" | "Infinity" | "inf" | "nan" => {
                self.out.mend();
                self.put(to, &escape::quoted(&word));
                return Ok(());
            }
            // A string with a prefix.
            "r" | "u" | "b" | "f" | "R" if style.python => {
                let byte = self.expect().await?;
                if !matches!(byte, b'"' | b'\'') || word != "u" {
                    return Err(Stop::Broken);
                }
                return self.string(byte, to, style).await;
            }
            _ => return Err(Stop::Broken),
        };
        if !style.python {
            self.out.mend();
        }
        self.put(to, json);
        Ok(())
    }

    /// Reads a string and writes it with quotes.
    async fn string(&mut self, byte: u8, to: To, style: Style) -> Read {
        self.put(to, "\"");
        if let Some(quote) = style.quote.filter(|quote| quote.as_bytes().first() == Some(&byte)) {
            self.raw_string(quote, to).await?;
        } else {
            loop {
                let quote = self.expect().await?;
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
            self.expect().await?;
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
            let byte = self.expect().await?;
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
        let byte = self.expect().await?;
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

/// Whether a value can begin with this byte.
fn is_value(byte: u8, style: Style) -> bool {
    matches!(byte, b'{' | b'[' | b'"' | b'\'' | b'-' | b'+' | b'.')
        || byte.is_ascii_alphanumeric()
        || (style.python && byte == b'(')
        || style.quote.is_some_and(|quote| quote.as_bytes().first() == Some(&byte))
}

/// Whether a key can begin with this byte.
fn is_key(byte: u8, style: Style) -> bool {
    matches!(byte, b'"' | b'\'' | b'_' | b'$')
        || byte.is_ascii_alphanumeric()
        || !byte.is_ascii()
        || style.quote.is_some_and(|quote| quote.as_bytes().first() == Some(&byte))
}

/// A whole text as one value in JSON, if it is one; and whether it had to be mended.
pub(crate) fn mended(text: &str, style: Style) -> Option<(String, bool)> {
    let read = Reader::of_whole(text, async |reader: &mut Reader| {
        reader.out.begin();
        let read = reader.value(To::Arguments, style).await;
        reader.blanks().await;
        let whole = read.is_ok() && reader.rest().is_empty();
        reader.out.draft.take().filter(|_| whole).map(|draft| (draft.json, draft.repaired))
    });
    read.flatten()
}
