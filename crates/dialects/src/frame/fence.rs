//! A fence: code, or a call.

use super::{Mode, Opened, Reading, bare, python, scan::Code};
use crate::{
    grammar::Form,
    reader::{Read, Reader, Stop},
};

/// Reads a fence: a call when calls are all it holds.
pub(super) async fn read(reading: &mut Reading, reader: &mut Reader) {
    let mark = reader.peek().await.unwrap_or(b'`');
    let ticks = run_of(reader, mark).await;
    let before = reader.out.committed();
    reading
        .call(reader, Opened::ByForm, async |reader: &mut Reader| {
            reader.bump(ticks);
            calls(reader, mark).await.map(|()| Mode::Content)
        })
        .await;
    if reader.out.committed() == before {
        reading.code = Code::Fence { mark, ticks };
    }
}

/// How many marks come next.
pub(super) async fn run_of(reader: &mut Reader, mark: u8) -> usize {
    let mut count = 0;
    while reader.peek_at(count).await == Some(mark) {
        count += 1;
    }
    count
}

async fn calls(reader: &mut Reader, mark: u8) -> Read {
    let label = label(reader).await;
    if label == "tool_code" && reader.grammar.has(Form::ToolCode) {
        python::lines(reader).await?;
    } else if matches!(label.as_str(), "" | "json" | "tool_call") && reader.grammar.has(Form::Json)
    {
        bare::fenced(reader).await?;
    } else {
        return Err(Stop::Broken);
    }
    if close(reader, mark).await { Ok(()) } else { Err(Stop::Broken) }
}

/// Reads the label behind the ticks, in lower case.
pub(super) async fn label(reader: &mut Reader) -> String {
    let label = reader.word().await.to_ascii_lowercase();
    while matches!(reader.peek().await, Some(b' ' | b'\t')) {
        reader.bump(1);
    }
    label
}

/// Reads the marks that close a fence, if they come next. At the end they are not missed.
pub(super) async fn close(reader: &mut Reader, mark: u8) -> bool {
    reader.blanks().await;
    if reader.peek().await.is_none() {
        return true;
    }
    let ticks = run_of(reader, mark).await;
    // The text may end in the middle of them.
    let closed = ticks >= 3 || ticks > 0 && reader.peek_at(ticks).await.is_none();
    reader.bump(if closed { ticks } else { 0 });
    closed
}

/// Reads the ticks and the label that open a fence inside markers, if they come next.
pub(super) async fn open(reader: &mut Reader) -> bool {
    let fenced = reader.eat("```").await;
    if fenced {
        label(reader).await;
        reader.blanks().await;
    }
    fenced
}
