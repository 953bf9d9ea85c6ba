//! A name in a header, then the arguments as JSON.

use std::sync::OnceLock;

use super::{elements, fence, objects, objects::Names};
use crate::{
    Dialect,
    grammar::{Body, Token},
    marker::Markers,
    reader::{Read, Reader, Stop},
};

/// The longest header that is read.
const LONGEST: usize = 256;

/// What ends a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    /// DeepSeek's and Step's.
    Tool,
    /// Kimi's.
    Arguments,
}

fn separators() -> &'static Markers<Separator> {
    static MARKERS: OnceLock<Markers<Separator>> = OnceLock::new();
    MARKERS.get_or_init(|| {
        Markers::new([
            ("<|tool_sep|>", Separator::Tool),
            ("<|tool_call_argument_begin|>", Separator::Arguments),
        ])
    })
}

/// Reads the calls of a section, behind the mark that opens it.
pub(super) async fn section(reader: &mut Reader, close: &'static str) -> Read {
    let mut calls = 0;
    loop {
        let before = reader.position();
        reader.blanks().await;
        match reader.marker().await {
            Some((Token::Call(Body::Header), length)) => {
                reader.bump(length);
                read(reader).await?;
                calls += 1;
                reader.accept();
            }
            Some((Token::Mark(mark), length)) if mark == close && calls > 0 => {
                reader.bump(length);
                return Ok(());
            }
            _ if calls > 0 => {
                reader.rewind(before);
                return Ok(());
            }
            _ if reader.peek().await.is_none() => return Err(Stop::CutOff),
            _ => return Err(Stop::Broken),
        }
    }
}

/// Reads a call behind the mark that opens it, and the mark that closes it.
pub(super) async fn read(reader: &mut Reader) -> Read {
    let header = line(reader).await?;
    let (separator, length) = reader.separator(separators()).await?;
    reader.bump(length);
    match separator {
        Separator::Arguments => counted(reader, header.trim()).await?,
        Separator::Tool => {
            reader.blanks().await;
            let next = reader.byte().await?;
            if next == b'<' {
                if header.trim() != "function" {
                    return Err(Stop::Broken);
                }
                elements::element(reader).await?;
                reader.recognised(Dialect::Step3);
            } else if next == b'{' || next == b'`' {
                call(reader, header.trim()).await?;
                reader.recognised(Dialect::DeepseekV31);
            } else {
                let name = reader.word().await;
                call(reader, &name).await?;
                reader.recognised(Dialect::DeepseekV3);
            }
        }
    }
    end(reader, "<|tool_call_end|>").await;
    Ok(())
}

/// Reads the mark that closes a call, if it comes next.
async fn end(reader: &mut Reader, close: &str) {
    let after = reader.position();
    reader.blanks().await;
    match reader.marker().await {
        Some((Token::Mark(mark), length)) if mark == close => reader.bump(length),
        _ => reader.rewind(after),
    }
}

/// Reads what stands before the next mark.
async fn line(reader: &mut Reader) -> Read<String> {
    let mut line = String::new();
    loop {
        reader.byte().await?;
        let letter = reader.rest().chars().next().unwrap_or('<');
        if letter == '<' {
            return Ok(line);
        }
        if letter == '{' || line.len() > LONGEST {
            return Err(Stop::Broken);
        }
        line.push(letter);
        reader.bump(letter.len_utf8());
    }
}

/// Kimi: the header is the id, `functions.f:0`, and holds the name.
async fn counted(reader: &mut Reader, id: &str) -> Read {
    let name = id.strip_prefix("functions.").unwrap_or(id);
    let name = match name.rsplit_once(':') {
        Some((name, count)) if !count.is_empty() && count.bytes().all(|it| it.is_ascii_digit()) => {
            name
        }
        _ => name,
    };
    let counter = !id.is_empty() && id.bytes().all(|it| it.is_ascii_digit());
    if id.is_empty() {
        return Err(Stop::Broken);
    }
    reader.out.begin();
    reader.out.id(id);
    if !counter {
        reader.out.name(name);
    }
    body(reader).await?;
    if counter {
        let arguments = reader.out.draft.as_ref().map(|draft| draft.json.clone());
        let name = reader.tools.fitting(&arguments.unwrap_or_default()).ok_or(Stop::Broken)?;
        reader.out.name(name);
        reader.out.mend();
    }
    reader.out.end();
    reader.recognised(Dialect::KimiK2);
    Ok(())
}

/// Reads the arguments of the call to `name`.
pub(super) async fn call(reader: &mut Reader, name: &str) -> Read {
    if name.is_empty() {
        return Err(Stop::Broken);
    }
    reader.out.begin();
    reader.out.name(name);
    body(reader).await?;
    reader.out.end();
    Ok(())
}

/// The same for a name that is no tool's.
pub(super) async fn unlisted(reader: &mut Reader, name: &str) -> Read {
    reader.out.begin();
    body(reader).await?;
    reader.name_unlisted(name)?;
    reader.out.end();
    Ok(())
}

/// Reads arguments, perhaps in a fence, and the brackets that are too many.
async fn body(reader: &mut Reader) -> Read {
    reader.blanks().await;
    let fenced = fence::open(reader).await;
    objects::arguments(reader).await?;
    reader.surplus().await;
    let after = reader.position();
    reader.blanks().await;
    if fenced && reader.eat("```").await {
        return Ok(());
    }
    reader.rewind(after);
    Ok(())
}

/// Reads what is behind `[TOOL_CALLS]`: objects, or a name, perhaps an id, and arguments.
pub(super) async fn mistral(reader: &mut Reader) -> Read {
    reader.blanks().await;
    let next = reader.byte().await?;
    if matches!(next, b'[' | b'{') {
        objects::payload(reader, Names::Any).await?;
        reader.surplus().await;
        reader.recognised(Dialect::Mistral);
        return Ok(());
    }
    let name = reader.word().await;
    reader.blanks().await;
    let mut id = None;
    if reader.eat("[CALL_ID]").await {
        id = Some(reader.word().await);
    }
    reader.eat("[ARGS]").await;
    reader.blanks().await;
    if reader.byte().await? != b'{' || name.is_empty() {
        return Err(Stop::Broken);
    }
    reader.recognised(if id.is_some() { Dialect::MistralV13 } else { Dialect::MistralV11 });
    reader.out.begin();
    reader.out.name(name);
    if let Some(id) = id {
        reader.out.id(id);
    }
    body(reader).await?;
    reader.out.end();
    Ok(())
}

/// Reads an id, a name and arguments, each behind a token.
pub(super) async fn solar(reader: &mut Reader) -> Read {
    let id = line(reader).await?;
    reader.require("<|tool_call:name|>").await?;
    let name = line(reader).await?;
    reader.require("<|tool_call:args|>").await?;
    reader.out.begin();
    reader.out.id(id.trim());
    reader.out.name(name.trim());
    body(reader).await?;
    reader.out.end();
    reader.recognised(Dialect::SolarOpen);
    end(reader, "<|tool_call:end|>").await;
    Ok(())
}

/// Reads the name in front of a message whose kind follows: it is said again in the call.
pub(super) async fn typed(reader: &mut Reader) -> Read {
    let _ = line(reader).await?;
    let start = reader.position();
    reader.require("<|content_").await?;
    reader.rewind(start);
    Ok(())
}
