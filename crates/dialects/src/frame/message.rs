//! Messages with a header that says who speaks to whom: `<|channel|>commentary
//! to=functions.f<|message|>{…}<|call|>`.

use super::{Marks, Mode, header};
use crate::{
    Dialect,
    reader::{Read, Reader, Stop, Target},
    value::json::To,
};

/// The longest header that is read.
const LONGEST: usize = 512;

/// What ends a message.
const ENDS: Marks = &["<|end|>", "<|return|>", "<|call|>", "<|eom|>", "<|eot|>"];

const MESSAGE: &str = "<|message|>";

/// Reads the header that a reply begins with where the prompt ended in the middle of it.
pub(super) async fn first(reader: &mut Reader) -> Read<Mode> {
    while reader.eat(" ").await {}
    if !reader.sees("to=").await {
        return Err(Stop::Broken);
    }
    read(reader).await
}

/// Reads a header, and the call it announces.
pub(super) async fn read(reader: &mut Reader) -> Read<Mode> {
    let text = header(reader).await?;
    let channel = text.split_once("<|channel|>").map_or("", |(_, it)| it);
    let channel = channel.split([' ', '<']).next().unwrap_or_default();
    let recipient = text.split_once("to=").map(|(_, it)| it);
    let recipient = recipient.and_then(|it| it.split([' ', '<']).next());
    let tool = match recipient {
        None | Some("user") => None,
        Some("self" | "assistant") => return Ok(Mode::Quiet(ENDS, Target::Reasoning)),
        Some(recipient) => Some(recipient.strip_prefix("functions.").unwrap_or(recipient)),
    };
    let Some(tool) = tool else {
        let thought = channel == "analysis";
        return Ok(Mode::Quiet(ENDS, if thought { Target::Reasoning } else { Target::Text }));
    };
    reader.blanks().await;
    match reader.byte().await? {
        // Elements say themselves which tool they call.
        b'<' => return Ok(Mode::Content),
        b'{' => header::call(reader, tool).await?,
        // A built-in tool is sent what it is to run.
        _ if recipient == Some(tool) => code(reader, tool).await?,
        _ => return Err(Stop::Broken),
    }
    reader.recognised(Dialect::Harmony);
    Ok(Mode::Content)
}

/// Reads a header, with the mark behind it.
async fn header(reader: &mut Reader) -> Read<String> {
    let mut text = String::new();
    loop {
        let plain = reader.span(LONGEST - text.len(), |byte| byte != b'<' && byte != b'\n').await?;
        text.push_str(&plain);
        if reader.eat(MESSAGE).await {
            return Ok(text);
        }
        if reader.byte().await? != b'<' || text.len() == LONGEST {
            return Err(Stop::Broken);
        }
        text.push('<');
        reader.bump(1);
    }
}

/// Reads a call whose only argument is all that the message holds.
async fn code(reader: &mut Reader, tool: &str) -> Read {
    let parameter = reader.tools.only_text(tool).unwrap_or("code").to_owned();
    reader.out.begin();
    reader.out.name(tool);
    reader.put(To::Arguments, "{\"");
    reader.put_text(To::Arguments, &parameter);
    reader.put(To::Arguments, "\":\"");
    while let Some(byte) = reader.peek().await {
        if byte == b'<' && reader.marker().await.is_some() {
            break;
        }
        let rest = reader.rest();
        let next = rest.bytes().skip(1).position(|byte| byte == b'<');
        let piece = rest.get(..next.map_or(rest.len(), |next| next + 1)).unwrap_or_default();
        let piece = piece.to_owned();
        reader.put_text(To::Arguments, &piece);
        reader.bump(piece.len());
    }
    if reader.is_cut_off() {
        return Err(Stop::CutOff);
    }
    reader.put(To::Arguments, "\"}");
    reader.out.end();
    Ok(())
}
