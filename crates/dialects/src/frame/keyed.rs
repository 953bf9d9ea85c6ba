//! Calls as JSON objects whose only key is the tool: `[{"f": {…}}, {"g": null}]`.

use super::{
    fence,
    objects::{Before, Member, arguments, next_member},
};
use crate::{
    Dialect,
    grammar::Token,
    reader::{Read, Reader, Stop},
    value::json::{Style, To},
};

/// Reads a list of objects whose only key is the tool.
pub(super) async fn read(reader: &mut Reader) -> Read {
    reader.blanks().await;
    fence::open(reader).await;
    let list = match reader.byte().await? {
        b'[' => {
            reader.bump(1);
            true
        }
        b'{' => false,
        _ => return Err(Stop::Broken),
    };
    loop {
        reader.gap().await;
        match reader.peek().await {
            Some(b'{') => keyed_object(reader).await?,
            Some(b',') => reader.bump(1),
            Some(b'}') if reader.out.waiting() > 0 => {
                reader.out.mend_all();
                reader.bump(1);
            }
            Some(b']') if list => {
                reader.bump(1);
                break;
            }
            None if list => return Err(Stop::CutOff),
            _ if reader.marker().await.is_some() => {
                if list {
                    reader.out.mend_all();
                }
                break;
            }
            _ if list || reader.out.waiting() == 0 => return Err(Stop::Broken),
            _ => break,
        }
    }
    reader.recognised(Dialect::Apertus);
    reader.accept();
    let after = reader.position();
    reader.gap().await;
    while matches!(reader.peek().await, Some(b'}' | b']')) {
        reader.bump(1);
        reader.blanks().await;
    }
    match reader.marker().await {
        Some((Token::Mark("<|tools_suffix|>"), length)) => reader.bump(length),
        _ => reader.rewind(after),
    }
    Ok(())
}

async fn keyed_object(reader: &mut Reader) -> Read {
    reader.bump(1);
    let mut before = Before::Brace;
    loop {
        match next_member(reader, before).await? {
            Member::End => return Ok(()),
            Member::Key => {
                before = Before::Member;
                reader.scratch.clear();
                reader.key(To::Scratch, Style::JSON).await?;
                let name = serde_json::from_str::<String>(&reader.scratch);
                reader.out.begin();
                reader.out.name(name.map_err(|_| Stop::Broken)?);
                reader.colon().await?;
                reader.gap().await;
                arguments(reader).await?;
                reader.out.end();
            }
        }
    }
}
