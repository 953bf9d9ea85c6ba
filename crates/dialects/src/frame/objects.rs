//! Calls as JSON objects: `{"name": …, "arguments": {…}}`, one, several, or a list of them.

use std::borrow::Cow;

use crate::{
    reader::{Read, Reader, Stop},
    value::json::{self, Style, To},
};

/// Which names make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Any: a marker says that it is one.
    Any,
    /// Those of the tools on offer.
    Listed,
    /// Those, and one that means no tool.
    ListedOrNone,
}

/// The name that means no tool.
const NO_TOOL: &str = "directly_answer";

/// Other keys than those of a call that may stand in one without a marker: text that waits for a
/// name must not wait for long.
const OTHER_KEYS: usize = 16;

/// Whether a value was a call.
enum Verdict {
    Call,
    /// It is none; what was read of it is text, and so is its rest.
    Text,
}

/// Reads one call, or a list of them, at the bracket.
pub(super) async fn payload(reader: &mut Reader, names: Names) -> Read {
    if reader.peek().await == Some(b'[') {
        return list(reader, names).await;
    }
    // `{"tool_calls": […]}`
    let start = reader.position();
    reader.bump(1);
    reader.gap().await;
    if reader.eat("\"tool_calls\"").await {
        reader.colon().await?;
        reader.gap().await;
        if reader.byte().await? != b'[' {
            return Err(Stop::Broken);
        }
        list(reader, names).await?;
        reader.gap().await;
        return match reader.byte().await? {
            b'}' => {
                reader.bump(1);
                Ok(())
            }
            _ => Err(Stop::Broken),
        };
    }
    reader.rewind(start);
    match object(reader, names).await? {
        Verdict::Call => Ok(()),
        Verdict::Text => Err(Stop::Broken),
    }
}

/// Reads up to another object that follows, perhaps behind a comma; nothing where none does.
pub(super) async fn continues(reader: &mut Reader) -> bool {
    let after = reader.position();
    reader.blanks().await;
    if matches!(reader.peek().await, Some(b';' | b',')) {
        reader.bump(1);
        reader.blanks().await;
    }
    let another = reader.peek().await == Some(b'{');
    if !another {
        reader.rewind(after);
    }
    another
}

pub(super) async fn list(reader: &mut Reader, names: Names) -> Read {
    reader.bump(1);
    loop {
        reader.gap().await;
        match reader.byte().await? {
            b'{' => {
                if let Verdict::Text = object(reader, names).await? {
                    return rest_of_list(reader).await;
                }
            }
            b',' => reader.bump(1),
            b']' => {
                reader.bump(1);
                return Ok(());
            }
            b'}' if reader.out.waiting() > 0 => {
                reader.out.mend_all();
                reader.bump(1);
            }
            _ if reader.marker().await.is_some() || reader.sees("```").await => {
                reader.out.mend_all();
                return Ok(());
            }
            _ => return Err(Stop::Broken),
        }
    }
}

/// Reads what is left of a list that is text.
async fn rest_of_list(reader: &mut Reader) -> Read {
    loop {
        reader.gap().await;
        match reader.byte().await? {
            b',' => reader.bump(1),
            b']' => {
                reader.bump(1);
                return Err(Stop::Broken);
            }
            _ => reader.value(To::Nowhere, Style::JSON).await?,
        }
    }
}

/// What a key of a call means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Name,
    Arguments,
    Id,
    Other,
}

/// The key, as it is read by whoever reads JSON.
fn unquoted(key: &str) -> Cow<'_, str> {
    match serde_json::from_str(key) {
        Ok(plain) if key.contains('\\') => Cow::Owned(plain),
        _ => Cow::Borrowed(key.trim_matches('"')),
    }
}

fn key_of(key: &str) -> Key {
    match key {
        "name" | "tool" | "tool_name" | "function" => Key::Name,
        "arguments" | "params" | "parameters" | "args" => Key::Arguments,
        "id" | "tool_call_id" => Key::Id,
        _ => Key::Other,
    }
}

/// Reads one object, at its brace.
async fn object(reader: &mut Reader, names: Names) -> Read<Verdict> {
    reader.bump(1);
    reader.out.begin();
    let (mut inner, mut others) = (0_usize, 0_usize);
    let mut none = false;
    let mut keys = Keys::default();
    // A name that is no tool's; and whether there are keys that no call has.
    let (mut unlisted, mut strange) = (None, false);
    let mut before = Before::Brace;
    loop {
        match next_member(reader, before).await? {
            Member::Key => before = Before::Member,
            Member::End if inner > 0 => {
                inner -= 1;
                continue;
            }
            Member::End => break,
        }
        reader.scratch.clear();
        reader.key(To::Scratch, Style::JSON).await?;
        let key = keys.meet(&unquoted(&reader.scratch), inner)?;
        reader.colon().await?;
        reader.gap().await;
        let byte = reader.byte().await?;
        match key {
            // `{"function": {"name": …, "arguments": …}}`
            Key::Name if byte == b'{' && inner == 0 => {
                reader.bump(1);
                inner += 1;
                before = Before::Brace;
                continue;
            }
            // The name under another key. Which of two is meant nobody can tell.
            Key::Name
                if (unlisted.is_some() || is_named(reader)) && matches!(byte, b'"' | b'\'') =>
            {
                let again = text(reader).await?;
                let draft = reader.out.draft.as_ref().and_then(|draft| draft.name.as_ref());
                if draft.or(unlisted.as_ref()).is_none_or(|first| *first != again) {
                    return Err(Stop::Broken);
                }
            }
            Key::Name if unlisted.is_some() || is_named(reader) => {
                reader.value(To::Nowhere, Style::JSON).await?;
            }
            Key::Name => {
                let name = text(reader).await?;
                if names == Names::ListedOrNone && name == NO_TOOL {
                    none = true;
                    continue;
                }
                if names == Names::Any || reader.tools.has(&name) {
                    reader.out.name(name);
                } else if reader.tools.may_be_unlisted() {
                    unlisted = Some(name);
                } else {
                    return refuse(reader, inner).await;
                }
            }
            Key::Arguments => arguments(reader).await?,
            Key::Id if names != Names::Listed => id(reader).await?,
            Key::Id | Key::Other => {
                strange = strange || reader.scratch != "\"type\"" && matches!(key, Key::Other);
                others += 1;
                if names == Names::Listed && others > OTHER_KEYS {
                    return Err(Stop::Broken);
                }
                reader.value(To::Nowhere, Style::JSON).await?;
            }
        }
    }
    if let Some(name) = unlisted {
        let arguments = reader.out.draft.as_ref().is_some_and(|draft| !draft.json.is_empty());
        if strange || !arguments || reader.name_unlisted(&name).is_err() {
            reader.give_back();
            return Ok(Verdict::Text);
        }
    }
    match &reader.out.draft {
        _ if none => reader.out.unbegin(),
        Some(draft) if draft.name.is_some() => reader.out.end(),
        _ => return Err(Stop::Broken),
    }
    Ok(Verdict::Call)
}

/// The keys that make the call, as they stand in an object and in the one within it. One that stands
/// twice is read in one way by some and in another by others: what has it is no call.
#[derive(Default)]
struct Keys(Vec<(usize, String)>);

impl Keys {
    /// What a key means, in an object so deep.
    fn meet(&mut self, name: &str, inner: usize) -> Read<Key> {
        let key = key_of(name);
        if key != Key::Other {
            if self.0.iter().any(|(depth, known)| *depth == inner && known == name) {
                return Err(Stop::Broken);
            }
            // There are only a few such keys.
            self.0.push((inner, name.to_owned()));
        }
        Ok(key)
    }
}

fn is_named(reader: &Reader) -> bool {
    reader.out.draft.as_ref().is_some_and(|draft| draft.name.is_some())
}

pub(super) enum Member {
    Key,
    End,
}

/// What stands before a member.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// The brace.
    Brace,
    /// Another member.
    Member,
}

/// Reads up to the next key, or past the end.
pub(super) async fn next_member(reader: &mut Reader, before: Before) -> Read<Member> {
    let mut commas = 0;
    loop {
        reader.gap().await;
        let byte = reader.byte().await?;
        match byte {
            b',' if before == Before::Member => {
                commas += 1;
                reader.bump(1);
                continue;
            }
            _ if byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b'\'' | b'_') => {
                if before == Before::Member && commas != 1 {
                    reader.out.mend();
                }
                return Ok(Member::Key);
            }
            b'}' => {
                reader.bump(1);
                if commas > 0 {
                    reader.out.mend();
                }
            }
            // The brace is missing; the bracket closes a list.
            b']' => reader.out.mend(),
            _ if reader.marker().await.is_some() || reader.sees("```").await => reader.out.mend(),
            _ => return Err(Stop::Broken),
        }
        return Ok(Member::End);
    }
}

/// It calls no tool on offer: what was read is text, and what follows in it is no call either.
async fn refuse(reader: &mut Reader, mut inner: usize) -> Read<Verdict> {
    reader.give_back();
    loop {
        match next_member(reader, Before::Member).await? {
            Member::End if inner > 0 => inner -= 1,
            Member::End => return Ok(Verdict::Text),
            Member::Key => {
                reader.key(To::Nowhere, Style::JSON).await?;
                reader.colon().await?;
                reader.gap().await;
                reader.value(To::Nowhere, Style::JSON).await?;
            }
        }
    }
}

/// Reads a string.
async fn text(reader: &mut Reader) -> Read<String> {
    if !matches!(reader.byte().await?, b'"' | b'\'') {
        return Err(Stop::Broken);
    }
    reader.scratch.clear();
    reader.value(To::Scratch, Style::JSON).await?;
    serde_json::from_str(&reader.scratch).map_err(|_| Stop::Broken)
}

/// Reads an id: a string, or a number.
async fn id(reader: &mut Reader) -> Read {
    reader.scratch.clear();
    reader.value(To::Scratch, Style::JSON).await?;
    match serde_json::from_str(&reader.scratch) {
        Ok(serde_json::Value::String(id)) => reader.out.id(id),
        Ok(serde_json::Value::Number(id)) => reader.out.id(id.to_string()),
        _ => {}
    }
    Ok(())
}

/// Reads arguments: an object; or one in a string; or nothing.
pub(super) async fn arguments(reader: &mut Reader) -> Read {
    let again = reader.out.draft.as_ref().is_some_and(|draft| !draft.json.is_empty());
    let byte = reader.byte().await?;
    match byte {
        // Which of the two is meant nobody can tell: it is no call.
        b'{' | b'"' | b'\'' if again => Err(Stop::Broken),
        b'{' => reader.value(To::Arguments, Style::JSON).await,
        b'"' | b'\'' => {
            let inner = text(reader).await?;
            reader.out.mend();
            if inner.trim().is_empty() {
                return Ok(());
            }
            if !inner.trim_start().starts_with('{') {
                return Err(Stop::Broken);
            }
            let (json, _) = json::mended(&inner, Style::JSON).ok_or(Stop::Broken)?;
            reader.out.json(&json);
            Ok(())
        }
        b'n' | b'N' | b'u' => {
            reader.scratch.clear();
            reader.value(To::Scratch, Style::JSON).await?;
            if reader.scratch == "null" { Ok(()) } else { Err(Stop::Broken) }
        }
        _ => Err(Stop::Broken),
    }
}
