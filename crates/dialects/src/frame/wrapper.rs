//! A pair of marks round calls in whatever form: the next bytes tell which.

use super::{
    elements, fence, objects,
    pairs::{self, Opener},
    python,
};
use crate::{
    Dialect,
    grammar::{Body, Token},
    reader::{Read, Reader, Stop},
};

/// Reads the calls behind an opening mark, and the mark that closes it.
pub(super) async fn read(reader: &mut Reader, close: &'static str, dialect: Dialect) -> Read {
    let mut calls = 0;
    let mut opened = Opener::Read;
    // Where the opener stands that was read behind a call.
    let mut opener = None;
    loop {
        // Once there is a call, whatever cannot be one more is text.
        let before = opener.take().unwrap_or(reader.position());
        pairs::blanks(reader).await;
        let Some(byte) = reader.peek().await else {
            return if calls > 0 { Ok(()) } else { Err(Stop::CutOff) };
        };
        match byte {
            b'{' => {
                objects::payload(reader, objects::Names::Any).await?;
                reader.recognised(dialect);
            }
            b'[' => {
                list(reader).await?;
                reader.recognised(dialect);
            }
            b'`' if fence::open(reader).await => continue,
            b'}' | b']' if calls > 0 => {
                reader.bump(1);
                continue;
            }
            b',' | b';' if calls > 0 => {
                if objects::continues(reader).await {
                    continue;
                }
                reader.rewind(before);
                return Ok(());
            }
            b'/' => {
                reader.gap().await;
                if reader.peek().await == Some(b'/') {
                    return Err(Stop::Broken);
                }
                continue;
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' => match named(reader, opened).await {
                Err(Stop::Broken)
                    if calls > 0 && !(opened == Opener::Read && reader.is_past_end()) =>
                {
                    reader.out.withdraw(crate::WithdrawReason::Broken);
                    reader.rewind(before);
                    return Ok(());
                }
                read => read?,
            },
            _ => match reader.marker().await {
                Some((Token::Mark(mark), length)) if mark == close && calls > 0 => {
                    reader.bump(length);
                    return Ok(());
                }
                // The opener once more, or a wrapper inside a wrapper.
                Some((Token::Call(Body::Wrapper { close: inner, .. }), length)) => {
                    if calls > 0 && inner == close {
                        reader.rewind(before);
                        return Ok(());
                    }
                    if inner == close {
                        reader.out.mend();
                    }
                    reader.bump(length);
                    opened = Opener::Read;
                    opener = (calls > 0).then_some(before);
                    continue;
                }
                Some((Token::Call(Body::Function | Body::Element), _)) => {
                    elements::element(reader).await?;
                    reader.recognised(spoken(dialect));
                }
                // The inner of two wrappers is closed.
                Some((Token::Mark(mark), length)) if calls > 0 && mark.starts_with("</") => {
                    reader.bump(length);
                    reader.accept();
                    continue;
                }
                _ if calls > 0 => {
                    reader.rewind(before);
                    return Ok(());
                }
                _ => return Err(Stop::Broken),
            },
        }
        calls += 1;
        opened = Opener::Missing;
        reader.accept();
    }
}

/// The dialect of tags inside a wrapper that JSON shares.
fn spoken(dialect: Dialect) -> Dialect {
    match dialect {
        Dialect::Hermes => Dialect::Qwen3Coder,
        Dialect::Olmo3 => Dialect::Anthropic,
        other => other,
    }
}

/// A list: of objects, or of calls in Python.
async fn list(reader: &mut Reader) -> Read {
    let start = reader.position();
    reader.bump(1);
    reader.blanks().await;
    let byte = reader.peek().await;
    reader.rewind(start);
    match byte {
        None => Err(Stop::CutOff),
        Some(b'{') => objects::payload(reader, objects::Names::Any).await,
        Some(_) => python::list(reader, objects::Names::Any).await,
    }
}

/// A name: of a call in Python, or with keys and values behind it.
async fn named(reader: &mut Reader, opened: Opener) -> Read {
    let name = reader.word().await;
    if reader.peek().await == Some(b'(') {
        // Behind a call, `f(x)` may be prose.
        return match opened == Opener::Read || reader.tools.has(&name) {
            true => python::call_of(reader, &name).await,
            false => Err(Stop::Broken),
        };
    }
    pairs::read(reader, &name, opened).await
}
