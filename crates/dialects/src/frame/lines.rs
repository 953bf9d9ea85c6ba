//! Lines with labels: `Thought:`, `Action:`, `Action Input:`, `Observation:`, `Final Answer:`.

use super::{Mode, bare, fence};
use crate::{
    Dialect, WithdrawReason,
    grammar::Form,
    reader::{Read, Reader, Stop},
    value::{
        escape,
        json::{Style, To},
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Thought,
    Action,
    Observation,
    Answer,
}

pub(super) const LABELS: [(&str, Label); 4] = [
    ("thought:", Label::Thought),
    ("action:", Label::Action),
    ("observation:", Label::Observation),
    ("final answer:", Label::Answer),
];

const INPUT: &str = "action input:";

/// Whether a label stands so many bytes ahead. Reads nothing.
pub(super) async fn sees_label(reader: &mut Reader, ahead: usize) -> bool {
    label(reader, ahead).await.is_some()
}

async fn label(reader: &mut Reader, ahead: usize) -> Option<(&'static str, Label)> {
    let first = reader.peek_at(ahead).await?.to_ascii_lowercase();
    for (text, label) in LABELS {
        if text.as_bytes().first() == Some(&first) && sees(reader, ahead, text).await {
            return Some((text, label));
        }
    }
    None
}

/// Whether this text stands so many bytes ahead, in any case.
async fn sees(reader: &mut Reader, ahead: usize, text: &str) -> bool {
    for (place, letter) in text.bytes().enumerate() {
        match reader.peek_at(ahead + place).await {
            Some(byte) if byte.eq_ignore_ascii_case(&letter) => {}
            _ => return false,
        }
    }
    true
}

/// Reads the label that a reply begins with.
pub(super) async fn first(reader: &mut Reader) -> Read<Mode> {
    reader.blanks().await;
    match label(reader, 0).await {
        // A reply that begins with a thought goes on with labels.
        Some((_, Label::Thought)) if reader.grammar.has(Form::Lines) => reader.labelled = true,
        Some(_) => {}
        None => return Err(Stop::Broken),
    }
    labelled(reader).await
}

/// Reads a line that begins with a label, from the line break before.
pub(super) async fn read(reader: &mut Reader) -> Read<Mode> {
    reader.bump(1);
    labelled(reader).await
}

async fn labelled(reader: &mut Reader) -> Read<Mode> {
    let (text, label) = label(reader, 0).await.ok_or(Stop::Broken)?;
    reader.bump(text.len());
    let sure = reader.labelled || reader.grammar.dialect == Dialect::React;
    match label {
        Label::Action => action(reader).await,
        // Words that anybody may begin a line with, unless they are known to be labels.
        _ if !sure => Err(Stop::Broken),
        Label::Thought => Ok(Mode::Thought),
        Label::Answer => Ok(Mode::Content),
        Label::Observation => Ok(Mode::Silence),
    }
}

async fn action(reader: &mut Reader) -> Read<Mode> {
    spaces(reader).await;
    if reader.grammar.has(Form::Actions) {
        let start = reader.position();
        reader.blanks().await;
        if fence::open(reader).await {
            return fenced(reader).await;
        }
        reader.rewind(start);
    }
    if !reader.grammar.has(Form::Lines) {
        return Err(Stop::Broken);
    }
    let line = rest_of_line(reader).await;
    let name = line.trim().trim_matches(['`', '"', '\'', '*']).trim_end_matches("()");
    let listed = reader.tools.has(name);
    let word = !name.is_empty() && !name.contains(char::is_whitespace);
    let sure = reader.labelled || reader.grammar.dialect == Dialect::React;
    if !(listed || word && sure && reader.tools.may_be_unlisted()) {
        return Err(Stop::Broken);
    }
    reader.blanks().await;
    reader.byte().await?;
    if !sees(reader, 0, INPUT).await {
        // The text may have ended in the middle of it.
        let rest = reader.rest().len();
        let over =
            rest < INPUT.len() && sees(reader, 0, INPUT.get(..rest).unwrap_or_default()).await;
        return Err(if over { Stop::CutOff } else { Stop::Broken });
    }
    reader.bump(INPUT.len());
    reader.out.begin();
    if listed {
        reader.out.name(name);
    }
    input(reader, name).await?;
    if !listed {
        reader.name_unlisted(name)?;
    }
    reader.out.end();
    reader.recognised(Dialect::React);
    reader.labelled = true;
    Ok(Mode::Content)
}

/// Reads the input of an action: an object, perhaps in a fence; or plain text; or nothing.
async fn input(reader: &mut Reader, name: &str) -> Read {
    spaces(reader).await;
    let start = reader.position();
    reader.blanks().await;
    let fenced = fence::open(reader).await;
    if reader.peek().await == Some(b'{') {
        reader.value(To::Arguments, Style::JSON).await?;
        reader.surplus().await;
        if fenced {
            fence::close(reader, b'`').await;
        }
        return Ok(());
    }
    reader.rewind(start);
    let line = rest_of_line(reader).await;
    let text = line.trim();
    if reader.peek().await.is_none() && reader.is_cut_off() {
        return Err(Stop::CutOff);
    }
    if text.is_empty() || text == "{}" {
        return Ok(());
    }
    let unlisted = (!reader.tools.has(name)).then_some("input");
    let Some(parameter) = reader.tools.only_text(name).or(unlisted).map(str::to_owned) else {
        // It is all there, and nothing that could be read.
        reader.out.withdraw(WithdrawReason::Broken);
        return Err(Stop::Broken);
    };
    let text = text.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(text);
    let json = format!("{{{}:{}}}", escape::quoted(&parameter), escape::quoted(text));
    reader.out.json(&json);
    Ok(())
}

/// Reads a list of calls in a fence, behind its label.
async fn fenced(reader: &mut Reader) -> Read<Mode> {
    if !matches!(reader.byte().await?, b'[' | b'{') {
        return Err(Stop::Broken);
    }
    bare::action(reader).await?;
    reader.surplus().await;
    fence::close(reader, b'`').await;
    reader.recognised(Dialect::CommandRPlus);
    Ok(Mode::Content)
}

async fn spaces(reader: &mut Reader) {
    while matches!(reader.peek().await, Some(b' ' | b'\t')) {
        reader.bump(1);
    }
}

async fn rest_of_line(reader: &mut Reader) -> String {
    let mut line = String::new();
    loop {
        let rest = reader.rest();
        let end = rest.find('\n');
        let read = end.unwrap_or(rest.len());
        line.push_str(rest.get(..read).unwrap_or_default());
        reader.bump(read);
        if end.is_some() || !reader.more().await {
            return line;
        }
    }
}
