//! Calls as JSON objects without a marker: in prose, in a fence, behind a word.

use super::{
    objects::{self, Names},
    python,
};
use crate::{
    Dialect,
    grammar::{Form, Token},
    reader::{Read, Reader, Stop},
};

/// Reads calls that stand in prose, at a bracket.
pub(super) async fn read(reader: &mut Reader) -> Read {
    let read = sequence(reader).await;
    unless_named(reader, read)
}

/// Before a name that is listed, there was no call to be cut off.
fn unless_named(reader: &Reader, read: Read) -> Read {
    let named = reader.out.draft.as_ref().is_some_and(|draft| draft.name.is_some());
    let begun = reader.is_held() && (named || reader.out.waiting() > 0);
    match read {
        Err(Stop::CutOff) if !begun => Err(Stop::Broken),
        read => read,
    }
}

async fn sequence(reader: &mut Reader) -> Read {
    loop {
        if reader.peek().await == Some(b'[') && !is_list_of_objects(reader).await {
            return match reader.grammar.has(Form::Python) {
                true => python::list(reader, Names::Listed).await,
                false => Err(Stop::Broken),
            };
        }
        objects::payload(reader, Names::Listed).await?;
        reader.surplus().await;
        if !reader.grammar.has(Form::Json) {
            return orphan(reader).await;
        }
        reader.recognised(Dialect::Generic);
        reader.accept();
        if !objects::continues(reader).await {
            return Ok(());
        }
    }
}

async fn is_list_of_objects(reader: &mut Reader) -> bool {
    let start = reader.position();
    reader.bump(1);
    reader.blanks().await;
    let object = reader.peek().await == Some(b'{');
    reader.rewind(start);
    object
}

/// A call without the mark that opens it is one if the mark that closes it follows.
async fn orphan(reader: &mut Reader) -> Read {
    reader.blanks().await;
    match reader.marker().await {
        Some((Token::Mark(mark), length)) if mark.starts_with("</") && mark != "</think>" => {
            reader.bump(length);
            reader.out.mend_all();
            Ok(())
        }
        _ => Err(Stop::Broken),
    }
}

/// Reads the calls of `functools[…]`, at the bracket.
pub(super) async fn functools(reader: &mut Reader) -> Read {
    if !is_list_of_objects(reader).await {
        return Err(Stop::Broken);
    }
    objects::list(reader, Names::Any).await?;
    reader.recognised(Dialect::Phi4Mini);
    Ok(())
}

/// Reads the calls that are all there is in a fence.
pub(super) async fn fenced(reader: &mut Reader) -> Read {
    reader.blanks().await;
    loop {
        match reader.peek().await {
            Some(b'{' | b'[') => {
                let read = objects::payload(reader, Names::Listed).await;
                unless_named(reader, read)?;
            }
            Some(b',' | b';') if reader.out.waiting() > 0 => reader.bump(1),
            Some(b'}' | b']') if reader.out.waiting() > 0 => {
                reader.out.mend_all();
                reader.bump(1);
            }
            _ if reader.out.waiting() > 0 => {
                reader.recognised(Dialect::Generic);
                return Ok(());
            }
            _ => return Err(Stop::Broken),
        }
        reader.gap().await;
    }
}

/// Reads the calls of an action: a list in which one may mean no tool.
pub(super) async fn action(reader: &mut Reader) -> Read {
    let read = objects::payload(reader, Names::ListedOrNone).await;
    unless_named(reader, read)
}
