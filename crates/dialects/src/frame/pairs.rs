//! A name, then keys and values: `<arg_key>a</arg_key><arg_value>1</arg_value>`.

use super::{
    swift,
    tagged::{Ends, read_field},
};
use crate::{
    Dialect, KnownTools,
    grammar::{Body, Token},
    marker::Walk,
    reader::{Read, Reader, Stop},
};

/// Skips blanks, and new lines that a model wrote as a backslash and an n.
pub(super) async fn blanks(reader: &mut Reader) {
    loop {
        reader.blanks().await;
        if reader.peek().await != Some(b'\\') || !reader.eat("\\n").await {
            return;
        }
    }
}

/// Whether the mark that opens a call stands right before its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Opener {
    /// It does: a name alone is a call.
    Read,
    /// It does not: without a key, a name is a word like any other.
    Missing,
}

/// Reads the keys and values behind a name, up to the mark that closes the call.
pub(super) async fn read(reader: &mut Reader, name: &str, opened: Opener) -> Read {
    let name = name.strip_suffix("\\n").unwrap_or(name);
    reader.out.begin();
    let markers = &reader.grammar.markers;
    let read = |text: &str, tools: &KnownTools, json: &mut String| {
        let read = swift::pairs(text, name, tools, json)?;
        // Not in every dialect is what stands there a mark.
        let mut walk = Walk::new(markers);
        walk.on(text.get(read..)?.as_bytes());
        matches!(walk.found(), Some((Token::Mark("</tool_call>"), _))).then_some(((), read))
    };
    if reader.swiftly(read).is_some() {
        reader.out.name(name);
        reader.out.end();
        reader.recognised(Dialect::Glm47);
        return Ok(());
    }
    reader.out.unbegin();
    let mut begun = false;
    let mut fields = 0;
    loop {
        blanks(reader).await;
        if reader.byte().await? != b'<' {
            return Err(Stop::Broken);
        }
        let (token, length) = match reader.marker().await {
            Some(found) => found,
            None => match opening(reader, "arg_key").await {
                Some(_) => (Token::Mark("<arg_key>"), 0),
                None => return Err(Stop::Broken),
            },
        };
        if !begun {
            begun = true;
            reader.out.begin();
            reader.out.name(name);
        }
        match token {
            Token::Mark("<tool_sep>") => reader.bump(length),
            Token::Mark("<arg_key>") => {
                pair(reader, name, &mut fields).await?;
            }
            // Whoever reads the wrapper reads what closes it, too.
            Token::Mark("</tool_call>") if opened == Opener::Read || fields > 0 => break,
            // The next call begins before this one was closed.
            Token::Call(Body::Wrapper { .. }) | Token::Mark("</tool_calls>")
                if opened == Opener::Read || fields > 0 =>
            {
                reader.out.mend();
                break;
            }
            _ => return Err(Stop::Broken),
        }
    }
    if fields > 0 {
        reader.out.json("}");
    }
    reader.out.end();
    reader.recognised(Dialect::Glm47);
    Ok(())
}

/// The suffix of the tag that comes next, if it has this name; and reads nothing.
async fn opening(reader: &mut Reader, name: &str) -> Option<String> {
    let start = reader.position();
    let mut suffix = None;
    if reader.eat("<").await && reader.eat(name).await {
        let mut word = String::new();
        if reader.eat(":").await {
            word = format!(":{}", reader.word().await);
        }
        suffix = (reader.peek().await == Some(b'>')).then_some(word);
    }
    reader.rewind(start);
    suffix
}

/// Reads a key and its value. A key without one is left out.
async fn pair(reader: &mut Reader, name: &str, fields: &mut usize) -> Read {
    let Some(suffix) = opening(reader, "arg_key").await else { return Err(Stop::Broken) };
    reader.bump("<arg_key>".len() + suffix.len());
    let mut key = String::new();
    loop {
        let rest = reader.rest();
        let end = rest.find('<').unwrap_or(rest.len());
        key.push_str(rest.get(..end).unwrap_or_default());
        reader.bump(end);
        if reader.byte().await? == b'<' {
            break;
        }
    }
    if !reader.eat_all(&["</arg_key", &suffix, ">"]).await {
        return Err(Stop::Broken);
    }
    blanks(reader).await;
    reader.byte().await?;
    let Some(suffix) = opening(reader, "arg_value").await else {
        reader.out.mend();
        return Ok(());
    };
    reader.bump("<arg_value>".len() + suffix.len());
    let ends = Ends {
        close: ["</arg_value", &suffix, ">", ""],
        follow: &[
            ["<arg_key", "", "", ""],
            ["</tool_call", "", "", ""],
            ["<tool_call", "", "", ""],
            ["\\n", "", "", ""],
        ],
        cut: &[["<arg_key", &suffix, ">", ""], ["</tool_call", &suffix, ">", ""]],
    };
    let key = key.trim();
    let kinds = reader.tools.kinds(name, key);
    read_field(reader, fields, key, kinds, &ends).await
}
