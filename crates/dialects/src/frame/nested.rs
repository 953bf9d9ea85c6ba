//! Calls whose arguments are elements in elements, each behind a token: only what the token marks
//! is a tag, so that values may hold any markup.

use crate::{
    Dialect,
    grammar::Token,
    reader::{Read, Reader, Stop},
    value::{
        escape,
        schema::{self, Kinds},
    },
};

const TOKEN: &str = "]<]minimax[>[";

/// The deepest nesting that is read.
const DEEPEST: usize = 256;

/// An element that is being read, or was.
#[derive(Default)]
struct Element {
    name: String,
    text: String,
    children: Vec<Element>,
}

/// Reads calls behind the mark that opens them, and the mark that closes them.
pub(super) async fn read(reader: &mut Reader) -> Read {
    let mut calls = 0;
    loop {
        let before = reader.position();
        reader.blanks().await;
        match reader.marker().await {
            Some((Token::Mark("]</tool_call>"), length)) if calls > 0 => {
                reader.bump(length);
                return Ok(());
            }
            _ => {}
        }
        match reader.require(TOKEN).await {
            Err(_) if calls > 0 => {
                reader.rewind(before);
                return Ok(());
            }
            required => required?,
        }
        reader.blanks().await;
        call(reader).await?;
        reader.recognised(Dialect::MinimaxM3);
        reader.accept();
        calls += 1;
    }
}

async fn call(reader: &mut Reader) -> Read {
    reader.require("<invoke").await?;
    let attribute = until(reader, '>').await?;
    let (_, name) = attribute.split_once('=').ok_or(Stop::Broken)?;
    let name = name.trim().trim_matches(['"', '\'']);
    reader.out.begin();
    reader.out.name(name);
    let root = elements(reader).await?;
    let schema = reader.tools.schema(name).cloned().unwrap_or_default();
    let mut json = String::new();
    object(&mut json, &root.children, &schema, &schema);
    reader.out.json(&json);
    reader.out.end();
    Ok(())
}

/// Reads elements up to the end of the call.
async fn elements(reader: &mut Reader) -> Read<Element> {
    let mut open = vec![Element::default()];
    // What is open beyond the deepest: it is counted, and the call is none.
    let (mut beyond, mut too_deep) = (0_usize, false);
    loop {
        let text = until_token(reader).await?;
        if let Some(last) = open.last_mut() {
            last.text.push_str(&text);
        }
        reader.blanks().await;
        reader.require("<").await?;
        reader.byte().await?;
        let closes = reader.eat("/").await;
        let name = until(reader, '>').await?.trim().to_owned();
        if !closes {
            if open.len() > DEEPEST {
                (beyond, too_deep) = (beyond + 1, true);
                continue;
            }
            open.push(Element { name, ..Element::default() });
            continue;
        }
        if name == "invoke" && too_deep {
            return Err(Stop::Broken);
        }
        if beyond > 0 {
            beyond -= 1;
            continue;
        }
        if name == "invoke" {
            while open.len() > 1 {
                reader.out.mend();
                fold(&mut open);
            }
            return open.pop().ok_or(Stop::Broken);
        }
        if open.len() == 1 || open.last().is_none_or(|last| last.name != name) {
            return Err(Stop::Broken);
        }
        fold(&mut open);
    }
}

/// The last element is whole: it belongs to the one before.
fn fold(open: &mut Vec<Element>) {
    if let Some(done) = open.pop()
        && let Some(last) = open.last_mut()
    {
        last.children.push(done);
    }
}

async fn until(reader: &mut Reader, end: char) -> Read<String> {
    let mut text = String::new();
    loop {
        reader.byte().await?;
        let letter = reader.rest().chars().next().unwrap_or(end);
        reader.bump(letter.len_utf8());
        if letter == end {
            return Ok(text);
        }
        if letter == '<' || text.len() > 256 {
            return Err(Stop::Broken);
        }
        text.push(letter);
    }
}

async fn until_token(reader: &mut Reader) -> Read<String> {
    let mut text = String::new();
    loop {
        let rest = reader.rest();
        let end = rest.find(']').unwrap_or(rest.len());
        text.push_str(rest.get(..end).unwrap_or_default());
        reader.bump(end);
        if reader.byte().await? == b']' {
            if reader.eat(TOKEN).await {
                return Ok(text);
            }
            text.push(']');
            reader.bump(1);
        }
    }
}

fn object(
    json: &mut String,
    children: &[Element],
    schema: &serde_json::Value,
    root: &serde_json::Value,
) {
    json.push('{');
    for (number, child) in children.iter().enumerate() {
        if number > 0 {
            json.push(',');
        }
        json.push_str(&escape::quoted(&child.name));
        json.push(':');
        value(json, child, schema::property(schema, &child.name, root), root);
    }
    json.push('}');
}

fn value(
    json: &mut String,
    element: &Element,
    schema: Option<&serde_json::Value>,
    root: &serde_json::Value,
) {
    let kinds = schema.map_or_else(Kinds::default, |schema| Kinds::of(schema, root));
    let items = |it: &Element| it.name == "item";
    let list = kinds.has_array() || kinds.is_unknown() && element.children.iter().all(items);
    match element.children.as_slice() {
        [] if element.text.trim().is_empty() && kinds.has_array() => json.push_str("[]"),
        [] if element.text.trim().is_empty() && kinds.has_object() => json.push_str("{}"),
        [] => kinds.write(json, &element.text),
        children if list => {
            let item = schema.and_then(|schema| schema::items(schema, root));
            json.push('[');
            for (number, child) in children.iter().enumerate() {
                if number > 0 {
                    json.push(',');
                }
                value(json, child, item, root);
            }
            json.push(']');
        }
        children => {
            let nothing = serde_json::Value::Null;
            object(json, children, schema.unwrap_or(&nothing), root);
        }
    }
}
