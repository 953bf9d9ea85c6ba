//! Calls in XTML: `<|open|>call tool="f"<|sep|><|open|>argument key="a"
//! type="number"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|>`.

use super::tagged::{Ends, field, raw};
use crate::{
    Dialect,
    reader::{Read, Reader, Stop},
    value::schema::{Kinds, unescaped},
};

const SEPARATOR: &str = "<|sep|>";

/// The longest opening tag that is read.
const LONGEST: usize = 1024;

/// Reads a call behind `<|open|>call `.
pub(super) async fn read(reader: &mut Reader) -> Read {
    let attributes = attributes(reader).await?;
    let name = get(&attributes, "tool").ok_or(Stop::Broken)?;
    reader.out.begin();
    reader.out.name(&*name);
    let mut fields = 0;
    loop {
        reader.blanks().await;
        reader.byte().await?;
        if !reader.sees("<|open|>").await {
            reader.require("<|close|>call").await?;
            break;
        }
        reader.require("<|open|>argument").await?;
        let attributes = self::attributes(reader).await?;
        let key = get(&attributes, "key").ok_or(Stop::Broken)?;
        let ends = Ends {
            close: ["<|close|>argument<|sep|>", "", "", ""],
            follow: &[["<|open|>argument", "", "", ""], ["<|close|>call", "", "", ""]],
            cut: &[],
        };
        // Its tags are tokens: no line break belongs to them.
        let value = raw(reader, &ends).await?;
        let mut kinds = reader.tools.kinds(&name, &key);
        if kinds.is_unknown() {
            kinds = Kinds::named(get(&attributes, "type").as_deref().unwrap_or("string"));
        }
        field(reader, &mut fields, &key, kinds, &value);
    }
    if fields > 0 {
        reader.out.json("}");
    }
    reader.out.end();
    reader.recognised(Dialect::KimiK3);
    reader.eat(SEPARATOR).await;
    Ok(())
}

type Attributes = Vec<(String, String)>;

fn get(attributes: &Attributes, key: &str) -> Option<String> {
    attributes.iter().find(|(it, _)| it == key).map(|(_, value)| value.clone())
}

/// Reads attributes up to and with the separator.
async fn attributes(reader: &mut Reader) -> Read<Attributes> {
    let mut attributes = Vec::new();
    let start = reader.position();
    loop {
        reader.blanks().await;
        reader.byte().await?;
        if reader.eat(SEPARATOR).await {
            return Ok(attributes);
        }
        if reader.position() - start > LONGEST {
            return Err(Stop::Broken);
        }
        let key = reader.word().await;
        reader.blanks().await;
        reader.byte().await?;
        if key.is_empty() || !reader.eat("=").await {
            return Err(Stop::Broken);
        }
        reader.blanks().await;
        if reader.byte().await? != b'"' {
            return Err(Stop::Broken);
        }
        reader.bump(1);
        let mut value = String::new();
        loop {
            reader.byte().await?;
            let letter = reader.rest().chars().next().unwrap_or('"');
            reader.bump(letter.len_utf8());
            if letter == '"' {
                break;
            }
            if value.len() > LONGEST {
                return Err(Stop::Broken);
            }
            value.push(letter);
        }
        attributes.push((key, unescaped(&value)));
    }
}
