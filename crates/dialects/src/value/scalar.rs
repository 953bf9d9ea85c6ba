//! Numbers and words as models write them.

use super::{
    escape,
    json::{Style, To},
    number,
};
use crate::reader::{Read, Reader, Stop};

impl Reader {
    pub(super) async fn scalar(&mut self, byte: u8, to: To, style: Style) -> Read {
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
                let byte = self.byte().await?;
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
}
