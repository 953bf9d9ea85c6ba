//! Calls as elements: `<invoke name="f"><parameter name="a">1</parameter></invoke>`,
//! `<function=f><parameter=a>1</parameter></function>`, with or without a namespace.

use crate::{
    grammar::{Form, Token},
    reader::{Read, Reader, Stop},
    value::{
        escape,
        json::{Style, To},
        schema::unescaped,
    },
};

/// The longest opening tag that is read.
const LONGEST_TAG: usize = 1024;

/// A tag that opens an element.
struct Tag {
    /// What stands before its name: a namespace.
    prefix: String,
    name: String,
    /// The value behind `=`, or of the attribute `name`.
    value: Option<String>,
    /// Whether it closes itself.
    closed: bool,
}

/// Reads a call, at its opening tag.
pub(super) async fn element(reader: &mut Reader) -> Read {
    let tag = tag(reader).await?;
    let name = tag.value.filter(|_| matches!(&*tag.name, "invoke" | "function"));
    let name = once(reader, &name.ok_or(Stop::Broken)?);
    reader.out.begin();
    reader.out.name(&*name);
    let (prefix, close) = (tag.prefix, tag.name);
    let close = format!("</{prefix}{close}>");
    let mut fields = 0;
    let mut whole = false;
    while !tag.closed {
        reader.blanks().await;
        match reader.expect().await? {
            b'{' if fields == 0 && !whole => {
                reader.value(To::Arguments, Style::JSON).await?;
                whole = true;
            }
            b'}' if whole => {
                reader.bump(1);
                reader.out.mend();
            }
            b'<' if eat_loosely(reader, &close).await => break,
            b'<' => {
                let wrapper = [format!("<{prefix}arguments>"), format!("</{prefix}arguments>")];
                if reader.eat(&wrapper[0]).await || reader.eat(&wrapper[1]).await {
                    reader.out.mend();
                    continue;
                }
                // The tag that closes the call is missing, what comes behind it is not.
                if let Some((Token::Mark(_) | Token::Call(_), _)) = reader.marker().await {
                    reader.out.mend();
                    break;
                }
                let (key, value) = parameter(reader, &name, &prefix, &close).await?;
                field(reader, &mut fields, &key, &value);
            }
            _ => return Err(Stop::Broken),
        }
    }
    if fields > 0 {
        reader.out.json("}");
    }
    reader.out.end();
    Ok(())
}

/// The name; some models write it twice, with a point between.
fn once(reader: &Reader, name: &str) -> String {
    match name.split_once('.') {
        Some((first, second)) if first == second && !reader.tools.has(name) => first.to_owned(),
        _ => name.to_owned(),
    }
}

/// Reads this tag, in whichever spelling of its bars.
async fn eat_loosely(reader: &mut Reader, tag: &str) -> bool {
    reader.eat(tag).await
}

/// Adds an argument.
pub(super) fn field(reader: &mut Reader, fields: &mut usize, key: &str, json: &str) {
    reader.out.json(if *fields == 0 { "{" } else { "," });
    reader.out.json(&escape::quoted(key));
    reader.out.json(":");
    reader.out.json(json);
    *fields += 1;
}

/// Reads a parameter: its name, and its value as JSON.
async fn parameter(
    reader: &mut Reader,
    call: &str,
    prefix: &str,
    close: &str,
) -> Read<(String, String)> {
    let tag = tag(reader).await?;
    let known = matches!(&*tag.name, "parameter" | "param" | "argument" | "arg");
    let key = tag.value.filter(|_| known && tag.prefix == prefix).ok_or(Stop::Broken)?;
    let kinds = reader.tools.kinds(call, &key);
    if tag.closed {
        return Ok((key, kinds.json("")));
    }
    let name = &tag.name;
    let ends = Ends {
        close: format!("</{prefix}{name}>"),
        follow: vec![
            format!("<{prefix}{name}"),
            close.to_owned(),
            format!("</{prefix}arguments>"),
            "</".to_owned(),
        ],
        cut: vec![format!("<{prefix}{name}="), format!("<{prefix}{name} "), close.to_owned()],
    };
    let value = if reader.sees("<![CDATA[").await {
        cdata(reader, &ends).await?
    } else {
        let value = text(reader, &ends).await?;
        // The one dialect with this tag decodes them; another one with the usual tags does, too.
        let entities = name == "param" || reader.grammar.has(Form::Entities);
        if entities { unescaped(&value) } else { value }
    };
    Ok((key, kinds.json(&value)))
}

/// Reads a value that is marked as it is.
async fn cdata(reader: &mut Reader, ends: &Ends) -> Read<String> {
    reader.bump("<![CDATA[".len());
    let inner = Ends { close: "]]>".to_owned(), follow: vec![ends.close.clone()], cut: Vec::new() };
    let value = raw(reader, &inner).await?;
    reader.blanks().await;
    reader.expect().await?;
    if !reader.eat(&ends.close).await {
        return Err(Stop::Broken);
    }
    Ok(value)
}

/// What ends a value.
pub(super) struct Ends {
    /// The tag that closes it, if one of these follows, or the end.
    pub(super) close: String,
    pub(super) follow: Vec<String>,
    /// What ends it although it is not closed.
    pub(super) cut: Vec<String>,
}

/// Reads the text of a value: all of it, but for one line break at each end.
pub(super) async fn text(reader: &mut Reader, ends: &Ends) -> Read<String> {
    let value = raw(reader, ends).await?;
    let text = value.strip_prefix("\r\n").or_else(|| value.strip_prefix('\n')).unwrap_or(&value);
    let text =
        text.strip_suffix('\n').map(|it| it.strip_suffix('\r').unwrap_or(it)).unwrap_or(text);
    Ok(text.to_owned())
}

async fn raw(reader: &mut Reader, ends: &Ends) -> Read<String> {
    let first = ends.close.as_bytes().first().copied().unwrap_or(b'<');
    let mut value = String::new();
    loop {
        let rest = reader.rest();
        let end = rest.bytes().position(|byte| byte == first).unwrap_or(rest.len());
        value.push_str(rest.get(..end).unwrap_or_default());
        reader.bump(end);
        if reader.expect().await? != first {
            continue;
        }
        if reader.eat(&ends.close).await {
            if follows(reader, &ends.follow).await {
                return Ok(value);
            }
            // A value may hold its own closing tag.
            value.push_str(&ends.close);
            continue;
        }
        for cut in &ends.cut {
            if reader.sees(cut).await {
                reader.out.mend();
                value.truncate(value.trim_ascii_end().len());
                return Ok(value);
            }
        }
        value.push(char::from(first));
        reader.bump(1);
    }
}

/// Whether one of these comes next, or the end.
async fn follows(reader: &mut Reader, texts: &[String]) -> bool {
    let start = reader.position();
    reader.blanks().await;
    let mut found = reader.peek().await.is_none();
    for text in texts {
        found = found || reader.sees(text).await;
    }
    reader.rewind(start);
    found
}

/// Reads an opening tag.
async fn tag(reader: &mut Reader) -> Read<Tag> {
    let start = reader.position();
    reader.bump(1);
    let full = tag_name(reader).await?;
    let split = full.rfind([':', '|', '｜']).map_or(0, |at| {
        at + full.get(at..).and_then(|it| it.chars().next()).map_or(1, char::len_utf8)
    });
    let (prefix, name) = full.split_at(split);
    let mut tag =
        Tag { prefix: prefix.to_owned(), name: name.to_owned(), value: None, closed: false };
    loop {
        if reader.position() - start > LONGEST_TAG {
            return Err(Stop::Broken);
        }
        reader.blanks().await;
        match reader.expect().await? {
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
                if !reader.eat("=").await {
                    return Err(Stop::Broken);
                }
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
    let mut name = String::new();
    loop {
        reader.expect().await?;
        let letter = reader.rest().chars().next().unwrap_or('>');
        if !(letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | ':' | '|' | '｜')) {
            break;
        }
        name.push(letter);
        reader.bump(letter.len_utf8());
        if name.len() > LONGEST_TAG {
            return Err(Stop::Broken);
        }
    }
    if name.is_empty() { Err(Stop::Broken) } else { Ok(name) }
}

/// Reads the value of an attribute, with or without quotes.
async fn attribute(reader: &mut Reader) -> Read<String> {
    let quote = reader.expect().await?;
    if !matches!(quote, b'"' | b'\'') {
        return tag_name(reader).await;
    }
    reader.bump(1);
    let mut value = String::new();
    loop {
        let byte = reader.expect().await?;
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
