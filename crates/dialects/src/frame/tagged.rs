//! The values of tags: text up to the tag that ends it.

use crate::{
    reader::{Read, Reader},
    value::{json::To, schema::Kinds},
};

/// Adds an argument.
pub(super) fn field(reader: &mut Reader, fields: &mut usize, key: &str, kinds: Kinds, text: &str) {
    begin(reader, fields, key);
    if let Some(draft) = &mut reader.out.draft {
        kinds.write(&mut draft.json, text);
    }
}

/// Begins an argument.
fn begin(reader: &mut Reader, fields: &mut usize, key: &str) {
    reader.put(To::Arguments, if *fields == 0 { "{\"" } else { ",\"" });
    reader.put_text(To::Arguments, key);
    reader.put(To::Arguments, "\":");
    *fields += 1;
}

/// A tag, in pieces.
type Pieces<'a> = [&'a str; 4];

/// What ends a value.
pub(super) struct Ends<'a> {
    /// The tag that closes it, if one of these follows, or the end.
    pub(super) close: Pieces<'a>,
    pub(super) follow: &'a [Pieces<'a>],
    /// What ends it although it is not closed.
    pub(super) cut: &'a [Pieces<'a>],
}

impl Ends<'_> {
    /// The second bytes of the tag that closes it, and of what ends it although it is not closed.
    fn second_bytes(&self) -> (Option<u8>, Bytes) {
        let second_of = |pieces: &Pieces<'_>| pieces.iter().flat_map(|it| it.bytes()).nth(1);
        let mut cut = Bytes::default();
        self.cut.iter().filter_map(second_of).for_each(|byte| cut.add(byte));
        (second_of(&self.close), cut)
    }
}

/// A set of bytes, a bit for each: not all markers are ASCII.
#[derive(Default)]
struct Bytes {
    low: u128,
    high: u128,
}

impl Bytes {
    fn add(&mut self, byte: u8) {
        let half = if byte.is_ascii() { &mut self.low } else { &mut self.high };
        *half |= Self::bit(byte);
    }

    fn has(&self, byte: u8) -> bool {
        let half = if byte.is_ascii() { self.low } else { self.high };
        half & Self::bit(byte) != 0
    }

    fn bit(byte: u8) -> u128 {
        1 << (byte & 0x7f)
    }
}

/// Whether these texts come next, one behind the other; nothing where more must come to tell.
fn sees(mut rest: &str, texts: &[&str]) -> Option<bool> {
    // Comparing with nothing is dear: it has no place in memory.
    for text in texts.iter().filter(|text| !text.is_empty()) {
        match rest.strip_prefix(*text) {
            Some(after) => rest = after,
            None if text.starts_with(rest) => return None,
            None => return Some(false),
        }
    }
    Some(true)
}

/// The text of a value: all of it, but for one line break at each end.
pub(super) fn trimmed(value: &str) -> &str {
    without_last_break(without_first_break(value))
}

fn without_first_break(value: &str) -> &str {
    value.strip_prefix("\r\n").or_else(|| value.strip_prefix('\n')).unwrap_or(value)
}

fn without_last_break(value: &str) -> &str {
    value.strip_suffix('\n').map_or(value, |it| it.strip_suffix('\r').unwrap_or(it))
}

/// Reads the text of a value, every letter of it.
pub(super) async fn raw(reader: &mut Reader, ends: &Ends<'_>) -> Read<String> {
    let mut value = String::new();
    read(reader, ends, &mut value, |_, _| {}).await?;
    Ok(value)
}

/// Reads an argument: its text as it comes, where it can only be text.
pub(super) async fn read_field(
    reader: &mut Reader,
    fields: &mut usize,
    key: &str,
    kinds: Kinds,
    ends: &Ends<'_>,
) -> Read {
    if !kinds.is_text() {
        let value = raw(reader, ends).await?;
        field(reader, fields, key, kinds, trimmed(&value));
        return Ok(());
    }
    begin(reader, fields, key);
    reader.put(To::Arguments, "\"");
    let (mut value, mut first) = (String::new(), true);
    read(reader, ends, &mut value, |reader, value| {
        // A line break in front is dropped; whether one came shows with the next letter.
        if first && value.trim_ascii().is_empty() {
            return;
        }
        // Blanks may be the end.
        let sure = value.trim_ascii_end();
        let end = sure.len();
        reader.put_text(To::Arguments, if first { without_first_break(sure) } else { sure });
        value.drain(..end);
        first = false;
    })
    .await?;
    let text = if first { without_first_break(&value) } else { &value };
    reader.put_text(To::Arguments, without_last_break(text));
    reader.put(To::Arguments, "\"");
    Ok(())
}

/// Reads the text of a value into `value`. Before it waits for more, `waits` may take what is sure.
async fn read(
    reader: &mut Reader,
    ends: &Ends<'_>,
    value: &mut String,
    mut waits: impl FnMut(&mut Reader, &mut String),
) -> Read {
    let first = ends.close.first().and_then(|it| it.as_bytes().first()).copied().unwrap_or(b'<');
    let (closing, cutting) = ends.second_bytes();
    let length = ends.close.iter().map(|piece| piece.len()).sum();
    loop {
        let rest = reader.rest();
        let end = memchr::memchr(first, rest.as_bytes()).unwrap_or(rest.len());
        value.push_str(rest.get(..end).unwrap_or_default());
        reader.bump(end);
        if reader.ready().is_none() {
            waits(reader, value);
        }
        if reader.byte().await? != first {
            continue;
        }
        let second = reader.rest().as_bytes().get(1).copied();
        let closed = match sees(reader.rest(), &ends.close) {
            _ if second.is_some() && second != closing => false,
            Some(seen) => seen,
            None => reader.sees_all(&ends.close).await,
        };
        if closed {
            let at = reader.position();
            reader.bump(length);
            if follows(reader, ends.follow).await {
                return Ok(());
            }
            // A value may hold its own closing tag.
            reader.rewind(at);
            value.push_str(reader.rest().get(..length).unwrap_or_default());
            reader.bump(length);
            continue;
        }
        let may_be_cut = second.is_none_or(|it| cutting.has(it));
        for cut in ends.cut.iter().filter(|_| may_be_cut) {
            if reader.sees_all(cut).await {
                reader.out.mend();
                value.truncate(value.trim_ascii_end().len());
                return Ok(());
            }
        }
        value.push(char::from(first));
        reader.bump(1);
    }
}

/// Whether one of these comes next, or the end.
async fn follows(reader: &mut Reader, tags: &[Pieces<'_>]) -> bool {
    // Most often the next byte tells.
    let first = |tag: &Pieces<'_>| tag.first().and_then(|it| it.as_bytes().first()).copied();
    if reader.ready().is_some_and(|byte| {
        !byte.is_ascii_whitespace() && tags.iter().all(|tag| first(tag) != Some(byte))
    }) {
        return false;
    }
    let start = reader.position();
    reader.blanks().await;
    let mut found = reader.peek().await.is_none();
    for tag in tags {
        found = found || reader.sees_all(tag).await;
    }
    reader.rewind(start);
    found
}
