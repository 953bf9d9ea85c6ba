//! Calls as elements: `<invoke name="f"><parameter name="a">1</parameter></invoke>`,
//! `<function=f><parameter=a>1</parameter></function>`, with or without a namespace.

use super::{
    swift,
    tagged::{Ends, field, raw, read_field, trimmed},
};
use crate::{
    grammar::Form,
    reader::{Read, Reader, Stop},
    value::{
        json::{Style, To},
        schema::unescaped,
    },
};

/// The longest opening tag that is read.
const LONGEST_TAG: usize = 1024;

/// A tag that opens an element.
struct Tag {
    /// Its name, behind a namespace.
    full: String,
    /// Where the name begins.
    split: usize,
    /// The value behind `=`, or of the attribute `name`.
    value: Option<String>,
    /// Whether it closes itself.
    closed: bool,
}

impl Tag {
    /// What stands before its name: a namespace.
    fn prefix(&self) -> &str {
        self.full.get(..self.split).unwrap_or_default()
    }

    fn name(&self) -> &str {
        self.full.get(self.split..).unwrap_or_default()
    }
}

/// Reads a call, at its opening tag.
pub(super) async fn element(reader: &mut Reader) -> Read {
    if swift_element(reader) {
        return Ok(());
    }
    let tag = tag(reader).await?;
    let name = tag.value.as_deref().filter(|_| matches!(tag.name(), "invoke" | "function"));
    let name = once(reader, name.ok_or(Stop::Broken)?);
    reader.out.begin();
    reader.out.name(&*name);
    if !tag.closed {
        content(reader, &name, &tag).await?;
    }
    reader.out.end();
    Ok(())
}

/// Reads a call that is all there and needs no care.
fn swift_element(reader: &mut Reader) -> bool {
    if reader.grammar.has(Form::Entities) {
        return false;
    }
    reader.out.begin();
    let found = reader.swiftly(|text, tools, json| {
        let found = swift::element(text, tools, json)?;
        Some((found.name.to_owned(), found.read))
    });
    match found {
        Some(name) => {
            let name = once(reader, &name);
            reader.out.name(name);
            reader.out.end();
            true
        }
        None => {
            reader.out.unbegin();
            false
        }
    }
}

/// Reads the arguments of a call, up to and with the tag that closes it.
async fn content(reader: &mut Reader, name: &str, call: &Tag) -> Read {
    let mut fields = 0;
    let mut whole = false;
    loop {
        reader.blanks().await;
        match reader.byte().await? {
            b'{' if fields == 0 && !whole => {
                reader.value(To::Arguments, Style::JSON).await?;
                whole = true;
            }
            b'}' if whole => {
                reader.bump(1);
                reader.out.mend();
            }
            b'<' if reader.peek_at(1).await == Some(b'/') => {
                if reader.eat_all(&["</", call.prefix(), call.name(), ">"]).await {
                    break;
                }
                if reader.eat_all(&["</", call.prefix(), "arguments>"]).await {
                    continue;
                }
                // The tag that closes the call is missing, what comes behind it is not.
                if reader.marker().await.is_none() {
                    return Err(Stop::Broken);
                }
                reader.out.mend();
                break;
            }
            b'<' => {
                if reader.eat_all(&["<", call.prefix(), "arguments>"]).await {
                    reader.out.mend();
                    continue;
                }
                if reader.marker().await.is_some() {
                    reader.out.mend();
                    break;
                }
                parameter(reader, name, call, &mut fields).await?;
            }
            _ => return Err(Stop::Broken),
        }
    }
    if fields > 0 {
        reader.out.json("}");
    }
    Ok(())
}

/// The name; some models write it twice, with a point between.
fn once(reader: &Reader, name: &str) -> String {
    match name.split_once('.') {
        Some((first, second)) if first == second && !reader.tools.has(name) => first.to_owned(),
        _ => name.to_owned(),
    }
}

/// Reads a parameter of a call.
async fn parameter(reader: &mut Reader, name: &str, call: &Tag, fields: &mut usize) -> Read {
    let tag = tag(reader).await?;
    let known = matches!(tag.name(), "parameter" | "param" | "argument" | "arg");
    let key = tag.value.as_deref().filter(|_| known && tag.prefix() == call.prefix());
    let key = key.ok_or(Stop::Broken)?;
    let kinds = reader.tools.kinds(name, key);
    let (prefix, own) = (call.prefix(), tag.name());
    let ends = Ends {
        close: ["</", prefix, own, ">"],
        follow: &[["</", "", "", ""], ["<", prefix, own, ""]],
        cut: &[["<", prefix, own, "="], ["<", prefix, own, " "], ["</", prefix, call.name(), ">"]],
    };
    if tag.closed {
        field(reader, fields, key, kinds, "");
        return Ok(());
    }
    if reader.sees("<![CDATA[").await {
        let value = cdata(reader, &ends).await?;
        field(reader, fields, key, kinds, &value);
        return Ok(());
    }
    // The one dialect with this tag decodes them; another one with the usual tags does, too.
    if own == "param" || reader.grammar.has(Form::Entities) {
        let value = raw(reader, &ends).await?;
        field(reader, fields, key, kinds, &unescaped(trimmed(&value)));
        return Ok(());
    }
    read_field(reader, fields, key, kinds, &ends).await
}

/// Reads a value that is marked as it is.
async fn cdata(reader: &mut Reader, ends: &Ends<'_>) -> Read<String> {
    reader.bump("<![CDATA[".len());
    let inner = Ends { close: ["]]>", "", "", ""], follow: &[ends.close], cut: &[] };
    let value = raw(reader, &inner).await?;
    reader.blanks().await;
    reader.byte().await?;
    if reader.eat_all(&ends.close).await { Ok(value) } else { Err(Stop::Broken) }
}

/// Reads an opening tag.
async fn tag(reader: &mut Reader) -> Read<Tag> {
    let start = reader.position();
    reader.bump(1);
    let full = tag_name(reader).await?;
    let split = full.rfind([':', '|', '｜']).map_or(0, |at| {
        at + full.get(at..).and_then(|it| it.chars().next()).map_or(1, char::len_utf8)
    });
    let mut tag = Tag { full, split, value: None, closed: false };
    loop {
        if reader.position() - start > LONGEST_TAG {
            return Err(Stop::Broken);
        }
        reader.blanks().await;
        match reader.byte().await? {
            b'>' => {
                reader.bump(1);
                return Ok(tag);
            }
            b'/' => {
                reader.bump(1);
                tag.closed = true;
            }
            b'=' if tag.value.is_none() => {
                reader.bump(1);
                reader.blanks().await;
                tag.value = Some(attribute(reader).await?);
            }
            _ => {
                let key = tag_name(reader).await?;
                reader.blanks().await;
                reader.require("=").await?;
                reader.blanks().await;
                let value = attribute(reader).await?;
                if key == "name" {
                    tag.value = Some(value);
                }
            }
        }
    }
}

/// Reads a name in a tag.
async fn tag_name(reader: &mut Reader) -> Read<String> {
    let part =
        |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:|".contains(&byte) || !byte.is_ascii();
    let name = reader.span(LONGEST_TAG, part).await?;
    if name.is_empty() { Err(Stop::Broken) } else { Ok(name) }
}

/// Reads the value of an attribute, with or without quotes.
async fn attribute(reader: &mut Reader) -> Read<String> {
    let quote = reader.byte().await?;
    if !matches!(quote, b'"' | b'\'') {
        return tag_name(reader).await;
    }
    reader.bump(1);
    let mut value = String::new();
    loop {
        let byte = reader.byte().await?;
        let letter = reader.rest().chars().next().unwrap_or('\n');
        reader.bump(letter.len_utf8());
        match letter {
            _ if byte == quote => return Ok(value),
            '\n' => return Err(Stop::Broken),
            _ if value.len() > LONGEST_TAG => return Err(Stop::Broken),
            _ => value.push(letter),
        }
    }
}
