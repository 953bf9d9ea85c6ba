//! Calls as JSON objects: `{"name": …, "arguments": {…}}`, one, several, or a list of them.

use super::{fence, python};
use crate::{
    Dialect,
    grammar::{Form, Token},
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

/// Reads calls that stand in prose, at a bracket.
pub(super) async fn bare(reader: &mut Reader) -> Read {
    let read = sequence(reader).await;
    // Before a name that is listed, there was no call to be cut off.
    let named = reader.out.draft.as_ref().is_some_and(|draft| draft.name.is_some());
    match read {
        Err(Stop::CutOff) if !reader.is_held() || !(named || reader.out.waiting() > 0) => {
            Err(Stop::Broken)
        }
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
        payload(reader, Names::Listed).await?;
        while matches!(reader.peek().await, Some(b'}' | b']')) {
            reader.out.mend_all();
            reader.bump(1);
        }
        if !reader.grammar.has(Form::Json) {
            return orphan(reader).await;
        }
        reader.recognised(Dialect::Generic);
        reader.accept();
        let after = reader.position();
        reader.blanks().await;
        if matches!(reader.peek().await, Some(b';' | b',')) {
            reader.bump(1);
            reader.blanks().await;
        }
        if reader.peek().await != Some(b'{') {
            reader.rewind(after);
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
    list(reader, Names::Any).await?;
    reader.recognised(Dialect::Phi4Mini);
    Ok(())
}

/// Reads the calls that are all there is in a fence.
pub(super) async fn fenced(reader: &mut Reader) -> Read {
    reader.blanks().await;
    loop {
        match reader.peek().await {
            Some(b'{' | b'[') => match bare_payload(reader).await {
                Ok(()) => {}
                stopped => return stopped,
            },
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

async fn bare_payload(reader: &mut Reader) -> Read {
    let read = payload(reader, Names::Listed).await;
    let named = reader.out.draft.as_ref().is_some_and(|draft| draft.name.is_some());
    match read {
        Err(Stop::CutOff) if !reader.is_held() || !(named || reader.out.waiting() > 0) => {
            Err(Stop::Broken)
        }
        read => read,
    }
}

/// Reads the calls of an action: a list in which one may mean no tool.
pub(super) async fn action(reader: &mut Reader) -> Read {
    payload(reader, Names::ListedOrNone).await
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
        if reader.expect().await? != b'[' {
            return Err(Stop::Broken);
        }
        list(reader, names).await?;
        reader.gap().await;
        return match reader.expect().await? {
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

async fn list(reader: &mut Reader, names: Names) -> Read {
    reader.bump(1);
    loop {
        reader.gap().await;
        match reader.expect().await? {
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
        match reader.expect().await? {
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
enum Key {
    Name,
    Arguments,
    Id,
    Other,
}

fn key_of(quoted: &str) -> Key {
    match quoted.trim_matches('"') {
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
    loop {
        match next_member(reader).await? {
            Member::Key => {}
            Member::End if inner > 0 => {
                inner -= 1;
                continue;
            }
            Member::End => break,
        }
        reader.scratch.clear();
        reader.key(To::Scratch, Style::JSON).await?;
        let key = key_of(&reader.scratch);
        reader.colon().await?;
        reader.gap().await;
        let byte = reader.expect().await?;
        match key {
            // `{"function": {"name": …, "arguments": …}}`
            Key::Name if byte == b'{' && inner == 0 => {
                reader.bump(1);
                inner += 1;
                continue;
            }
            Key::Name => {
                let name = text(reader).await?;
                if names == Names::ListedOrNone && name == NO_TOOL {
                    none = true;
                    continue;
                }
                if names != Names::Any && !reader.tools.has(&name) {
                    return refuse(reader, inner).await;
                }
                reader.out.name(name);
            }
            Key::Arguments => arguments(reader).await?,
            Key::Id if names != Names::Listed => id(reader).await?,
            Key::Id | Key::Other => {
                others += 1;
                if names == Names::Listed && others > OTHER_KEYS {
                    return Err(Stop::Broken);
                }
                reader.value(To::Nowhere, Style::JSON).await?;
            }
        }
    }
    match &reader.out.draft {
        _ if none => reader.out.unbegin(),
        Some(draft) if draft.name.is_some() => reader.out.end(),
        _ => return Err(Stop::Broken),
    }
    Ok(Verdict::Call)
}

enum Member {
    Key,
    End,
}

/// Reads up to the next key, or past the end.
async fn next_member(reader: &mut Reader) -> Read<Member> {
    let mut comma = false;
    loop {
        reader.gap().await;
        match reader.expect().await? {
            b',' => {
                if comma {
                    reader.out.mend();
                }
                comma = true;
                reader.bump(1);
            }
            b'}' => {
                if comma {
                    reader.out.mend();
                }
                reader.bump(1);
                return Ok(Member::End);
            }
            // The brace is missing; the bracket closes a list.
            b']' => {
                reader.out.mend();
                return Ok(Member::End);
            }
            byte if byte == b'"'
                || byte == b'\''
                || byte.is_ascii_alphanumeric()
                || byte == b'_' =>
            {
                return Ok(Member::Key);
            }
            _ if reader.marker().await.is_some() || reader.sees("```").await => {
                reader.out.mend();
                return Ok(Member::End);
            }
            _ => return Err(Stop::Broken),
        }
    }
}

/// It calls no tool on offer: what was read is text, and what follows in it is no call either.
async fn refuse(reader: &mut Reader, mut inner: usize) -> Read<Verdict> {
    reader.give_back();
    loop {
        match next_member(reader).await? {
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
    if !matches!(reader.expect().await?, b'"' | b'\'') {
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
    let byte = reader.expect().await?;
    match byte {
        b'{' if again => reader.value(To::Nowhere, Style::JSON).await,
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

/// Reads a list of objects whose only key is the tool.
pub(super) async fn keyed(reader: &mut Reader) -> Read {
    reader.blanks().await;
    fence::open(reader).await;
    let list = match reader.expect().await? {
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
    loop {
        match next_member(reader).await? {
            Member::End => return Ok(()),
            Member::Key => {
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
