//! [`quick`]: JSON that is all there and needs no care, which is most of what models write, read
//! without waiting.
//!
//! What it reads, [`Reader::value`](crate::reader::Reader) would read in the same way. It gives up at
//! the first byte that asks for more than leaving out blanks, and leaves all of it to that.

use super::number;

/// The deepest nesting that is read here.
const DEEPEST: usize = 32;

/// The longest number that is read here.
const LONGEST: usize = 64;

/// What may come next.
#[derive(Clone, Copy)]
enum Next {
    Value,
    /// A value, or the end of a list that has just begun.
    ValueOrEnd,
    Key,
    /// A key, or the end of an object that has just begun.
    KeyOrEnd,
    Colon,
    CommaOrEnd,
}

/// Puts the value that `text` begins with, without its blanks. How many bytes it took; nothing where
/// it takes care, whatever was put by then.
pub(crate) fn quick(text: &str, mut put: impl FnMut(&str)) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open = [0_u8; DEEPEST];
    let mut depth = 0_usize;
    let mut next = Next::Value;
    // What is not yet put begins at `run`.
    let (mut run, mut at) = (0, 0);
    loop {
        let byte = *bytes.get(at)?;
        if byte.is_ascii_whitespace() {
            put(text.get(run..at)?);
            at += bytes.get(at..)?.iter().position(|byte| !byte.is_ascii_whitespace())?;
            run = at;
            continue;
        }
        next = match (next, byte) {
            (Next::Value | Next::ValueOrEnd, b'{' | b'[') => {
                *open.get_mut(depth)? = byte;
                depth += 1;
                at += 1;
                if byte == b'{' { Next::KeyOrEnd } else { Next::ValueOrEnd }
            }
            (Next::CommaOrEnd | Next::KeyOrEnd, b'}')
            | (Next::CommaOrEnd | Next::ValueOrEnd, b']') => {
                at += 1;
                depth = depth.checked_sub(1)?;
                // The bracket that opens stands two before the one that closes.
                if *open.get(depth)? != byte - 2 {
                    return None;
                }
                Next::CommaOrEnd
            }
            (Next::Value | Next::ValueOrEnd, _) => {
                at = scalar(text, at, byte)?;
                Next::CommaOrEnd
            }
            (Next::Key | Next::KeyOrEnd, b'"') => {
                at = string(bytes, at)?;
                Next::Colon
            }
            (Next::Colon, b':') => {
                at += 1;
                Next::Value
            }
            (Next::CommaOrEnd, b',') => {
                at += 1;
                let object = open.get(depth.checked_sub(1)?) == Some(&b'{');
                if object { Next::Key } else { Next::Value }
            }
            _ => return None,
        };
        if depth == 0 {
            put(text.get(run..at)?);
            return Some(at);
        }
    }
}

/// Where a value without others in it ends.
fn scalar(text: &str, at: usize, byte: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    if byte == b'"' {
        return string(bytes, at);
    }
    if !matches!(byte, b't' | b'f' | b'n' | b'-' | b'0'..=b'9') {
        return None;
    }
    // What comes behind must have arrived: there may be more of it.
    let mut ahead = bytes.get(at..)?.iter().take(LONGEST);
    let length = ahead.position(|byte| b",]} \n\r\t".contains(byte))?;
    let word = text.get(at..at + length)?;
    (matches!(word, "true" | "false" | "null") || number::is_json(word)).then_some(at + length)
}

/// Where a string ends.
fn string(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        let special = |byte: &u8| matches!(byte, b'"' | b'\\') || *byte < b' ';
        at += bytes.get(at..)?.iter().position(special)?;
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\'
                if matches!(
                    bytes.get(at + 1)?,
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't'
                ) =>
            {
                at += 2;
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, usize)> {
        let mut json = String::new();
        let read = quick(text, |piece| json.push_str(piece))?;
        Some((json, read))
    }

    #[test]
    fn what_needs_no_care_is_copied() {
        for (text, json) in [
            (
                "{ \"a\" : [ 1 , -2.5e3 , { } ] , \"b\" : \"x \\n\" } rest",
                r#"{"a":[1,-2.5e3,{}],"b":"x \n"}"#,
            ),
            ("\"a b\",", "\"a b\""),
            ("[[true],null]", "[[true],null]"),
            ("{}", "{}"),
            ("[] ", "[]"),
        ] {
            let (found, read) = read(text).expect("it needs no care");
            assert_eq!(found, json);
            assert_eq!(text.get(..read).map(str::len), Some(read));
        }
    }

    #[test]
    fn all_else_is_left_alone() {
        for text in [
            "{\"a\":1",
            "{'a':1}",
            "{a:1}",
            "[1,]",
            "[1 2]",
            "{\"a\":True}",
            "{\"a\":01}",
            "[1}",
            "{]",
            "12",
            "\"\\u00e9\"",
            "\"a\nb\"",
            "[trueish]",
            "[1",
            "// x",
            "{\"a\" 1}",
            "[",
            "",
            "]",
            "{,}",
            "[,]",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
