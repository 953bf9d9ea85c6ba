//! JSON as models really write it, read as it arrives and written out as JSON should be.
//!
//! Nothing is built: a value goes straight from the text to where it is wanted, in one pass, with
//! what is open on a stack of its own.

pub(crate) use crate::reader::To;
use crate::reader::{Read, Reader, Stop};

/// The deepest nesting that is read.
const DEEPEST: usize = 512;

/// How values are written besides JSON's own way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// Python: tuples, strings side by side, triple quotes.
    pub(crate) python: bool,
    /// A token that opens and closes a string.
    pub(crate) quote: Option<&'static str>,
    /// The end of the text closes what is open.
    pub(crate) lax: bool,
}

impl Style {
    pub(crate) const JSON: Self = Self { python: false, quote: None, lax: false };
    pub(crate) const PYTHON: Self = Self { python: true, quote: None, lax: false };
}

/// Something that is open.
pub(crate) struct Open {
    /// What closes it.
    close: u8,
    /// Whether it holds something.
    filled: bool,
    /// Which brackets close it, or something it is in.
    within: u8,
}

/// A bit for each kind of bracket.
fn bit(bracket: u8) -> u8 {
    match bracket {
        b'}' => 1,
        b']' => 2,
        _ => 4,
    }
}

/// What may come next in a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A value, or the end of a list.
    Value,
    /// A key, or the end of an object.
    Key,
    /// A comma or an end.
    After,
    /// Nothing: the value is whole.
    Whole,
}

impl Reader {
    /// Skips blanks and comments.
    #[inline]
    pub(crate) async fn gap(&mut self) {
        if !matches!(self.skip_blanks(), Some(byte) if byte != b'/') {
            self.comments().await;
        }
    }

    async fn comments(&mut self) {
        loop {
            self.blanks().await;
            if self.ready() != Some(b'/') {
                return;
            }
            if self.eat("//").await {
                self.through("\n").await;
            } else if self.eat("/*").await {
                self.through("*/").await;
            } else {
                return;
            }
            self.out.mend();
        }
    }

    /// Reads up to and with the end of a comment.
    async fn through(&mut self, end: &str) {
        while self.peek().await.is_some() {
            if self.eat(end).await {
                return;
            }
            // Past this letter, and on to where the end may begin.
            let rest = self.rest();
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let after = rest.get(first..).unwrap_or_default();
            let skip = after.find(end.get(..1).unwrap_or_default()).unwrap_or(after.len());
            self.bump(first + skip);
        }
    }

    /// Whether what comes next ends a payload that was not closed: a marker, or a fence.
    async fn sees_end(&mut self) -> bool {
        self.marker().await.is_some() || self.sees("```").await
    }

    /// Reads one value.
    pub(crate) async fn value(&mut self, to: To, style: Style) -> Read {
        if style.quote.is_none() && !style.python && self.copy_value(to) {
            return Ok(());
        }
        self.any_value(to, style).await
    }

    async fn any_value(&mut self, to: To, style: Style) -> Read {
        self.open.clear();
        let mut state = State::Value;
        while state != State::Whole {
            self.gap().await;
            let byte = match self.peek().await {
                Some(byte) => byte,
                None if style.lax && !self.open.is_empty() => {
                    // A key that has no value yet has none.
                    let valueless = state == State::Value && self.is_in_object();
                    self.close_all(to, if valueless { "null" } else { "" });
                    return Ok(());
                }
                None => return Err(Stop::CutOff),
            };
            state = match state {
                State::Value => self.in_value(byte, to, style).await?,
                State::Key => self.in_object(byte, to, style).await?,
                State::After | State::Whole => self.after(byte, to, style).await?,
            };
        }
        Ok(())
    }

    fn is_in_object(&self) -> bool {
        self.open.last().is_some_and(|it| it.close == b'}')
    }

    /// Where a value may come.
    async fn in_value(&mut self, byte: u8, to: To, style: Style) -> Read<State> {
        let in_list = !self.open.is_empty() && !self.is_in_object();
        match byte {
            b'{' | b'[' | b'(' => {
                if byte == b'(' && !style.python {
                    return Err(Stop::Broken);
                }
                if self.open.len() >= DEEPEST {
                    return self.too_deep(style).await;
                }
                self.comma(to);
                self.bump(1);
                self.put(to, if byte == b'{' { "{" } else { "[" });
                let close = match byte {
                    b'{' => b'}',
                    b'[' => b']',
                    _ => b')',
                };
                let within = self.open.last().map_or(0, |it| it.within) | bit(close);
                self.open.push(Open { close, filled: false, within });
                Ok(if byte == b'{' { State::Key } else { State::Value })
            }
            // The end of a list, or a comma that nothing follows.
            b']' | b')' | b'}' if in_list => Ok(State::After),
            b',' if in_list => {
                self.bump(1);
                self.out.mend();
                Ok(State::Value)
            }
            _ if in_list && !is_value(byte, style) && self.sees_end().await => Ok(State::After),
            _ => {
                self.comma(to);
                match self.scalar(byte, to, style).await {
                    Err(Stop::CutOff) if style.lax => {
                        self.close_all(to, "\"");
                        Ok(State::Whole)
                    }
                    read => read.map(|()| self.entered()),
                }
            }
        }
    }

    /// Reads the rest of a value that is deeper than is read: to its end it is none, and without an
    /// end it was cut off.
    async fn too_deep(&mut self, style: Style) -> Read<State> {
        let mut depth = self.open.len();
        while depth > 0 {
            match self.byte().await? {
                b'{' | b'[' | b'(' => depth += 1,
                b'}' | b']' | b')' => depth -= 1,
                byte if byte == b'"' || self.sees_quote(byte, style).await => {
                    self.string(byte, To::Nowhere, style).await?;
                    continue;
                }
                b'<' | b'`' if self.sees_end().await => break,
                _ => {}
            }
            self.bump(1);
        }
        Err(Stop::Broken)
    }

    /// Where a key may come.
    async fn in_object(&mut self, byte: u8, to: To, style: Style) -> Read<State> {
        match byte {
            b'}' | b']' => return Ok(State::After),
            b',' => {
                self.bump(1);
                self.out.mend();
                return Ok(State::Key);
            }
            _ if !is_key(byte, style) && self.sees_end().await => return Ok(State::After),
            _ => {}
        }
        let before = self.length(to);
        self.comma(to);
        let read = match self.key(to, style).await {
            Ok(()) => self.colon().await,
            stopped => stopped,
        };
        match read {
            // A key that was cut off is none.
            Err(Stop::CutOff) if style.lax => {
                self.truncate(to, before);
                self.close_all(to, "");
                return Ok(State::Whole);
            }
            read => read?,
        }
        self.put(to, ":");
        // The value of a key is not one more of the object's entries.
        if let Some(last) = self.open.last_mut() {
            last.filled = false;
        }
        Ok(State::Value)
    }

    /// Where a comma or an end may come.
    async fn after(&mut self, byte: u8, to: To, style: Style) -> Read<State> {
        let object = self.is_in_object();
        let next = if object { State::Key } else { State::Value };
        match byte {
            b',' => {
                self.bump(1);
                self.gap().await;
                if matches!(self.peek().await, Some(b'}' | b']' | b')')) {
                    self.out.mend();
                }
                Ok(next)
            }
            b'}' | b']' | b')' => {
                if self.close(byte, to) {
                    return Ok(self.entered());
                }
                // Too many of them: they vanish.
                while self.ready() == Some(byte) {
                    self.bump(1);
                }
                self.out.mend();
                let filled = self.open.last().is_some_and(|it| it.filled);
                Ok(if filled { State::After } else { next })
            }
            // A comma is missing.
            _ if if object { is_key(byte, style) } else { is_value(byte, style) } => {
                self.out.mend();
                Ok(next)
            }
            _ if self.sees_end().await => {
                self.close_all(to, "");
                Ok(State::Whole)
            }
            _ => Err(Stop::Broken),
        }
    }

    /// A value is read: what comes behind it.
    fn entered(&mut self) -> State {
        match self.open.last_mut() {
            Some(last) => {
                last.filled = true;
                State::After
            }
            None => State::Whole,
        }
    }

    /// Closes all that is open, behind what is missing of the last value.
    fn close_all(&mut self, to: To, missing: &str) {
        self.out.mend();
        self.put(to, missing);
        while let Some(last) = self.open.pop() {
            self.put(to, if last.close == b'}' { "}" } else { "]" });
        }
    }

    /// Puts the comma before another entry.
    fn comma(&mut self, to: To) {
        if let Some(last) = self.open.last_mut()
            && std::mem::replace(&mut last.filled, true)
        {
            self.put(to, ",");
        }
    }

    /// Reads a closing bracket: closes what it closes, and what was left open inside that. False
    /// when it closes nothing that is open.
    fn close(&mut self, bracket: u8, to: To) -> bool {
        let Some(depth) = self.open.iter().rposition(|it| it.close == bracket) else {
            return false;
        };
        if depth + 1 < self.open.len() {
            self.out.mend();
        }
        while self.open.len() > depth
            && let Some(closed) = self.open.pop()
        {
            self.put(to, if closed.close == b'}' { "}" } else { "]" });
        }
        self.bump(1);
        true
    }

    pub(crate) async fn colon(&mut self) -> Read {
        self.gap().await;
        match self.byte().await? {
            b':' => self.bump(1),
            // Python's way, and Ruby's.
            b'=' => {
                self.bump(1);
                if self.peek().await == Some(b'>') {
                    self.bump(1);
                }
                self.out.mend();
            }
            _ => return Err(Stop::Broken),
        }
        Ok(())
    }

    /// Reads a key and writes it with quotes.
    pub(crate) async fn key(&mut self, to: To, style: Style) -> Read {
        let byte = self.byte().await?;
        if matches!(byte, b'"' | b'\'') || self.sees_quote(byte, style).await {
            return self.string(byte, to, style).await;
        }
        if !is_key(byte, style) {
            return Err(Stop::Broken);
        }
        if style.quote.is_none() {
            self.out.mend();
        }
        let word = self.word().await;
        if word.is_empty() {
            return Err(Stop::Broken);
        }
        self.put(to, "\"");
        self.put(to, &word);
        self.put(to, "\"");
        Ok(())
    }

    /// Reads a word: a name without quotes.
    pub(crate) async fn word(&mut self) -> String {
        let part =
            |byte: &u8| byte.is_ascii_alphanumeric() || b"_$-.".contains(byte) || !byte.is_ascii();
        let mut word = String::new();
        loop {
            let rest = self.rest();
            let end = rest.as_bytes().iter().position(|byte| !part(byte));
            let read = end.unwrap_or(rest.len());
            word.push_str(rest.get(..read).unwrap_or_default());
            self.bump(read);
            if end.is_some() || !self.more().await {
                return word;
            }
        }
    }

    pub(super) async fn sees_quote(&mut self, byte: u8, style: Style) -> bool {
        match style.quote {
            Some(quote) => quote.as_bytes().first() == Some(&byte) && self.sees(quote).await,
            None => false,
        }
    }
}

/// Whether a value can begin with this byte.
fn is_value(byte: u8, style: Style) -> bool {
    matches!(byte, b'{' | b'[' | b'"' | b'\'' | b'-' | b'+' | b'.')
        || byte.is_ascii_alphanumeric()
        || (style.python && byte == b'(')
        || style.quote.is_some_and(|quote| quote.as_bytes().first() == Some(&byte))
}

/// Whether a key can begin with this byte.
fn is_key(byte: u8, style: Style) -> bool {
    matches!(byte, b'"' | b'\'' | b'_' | b'$')
        || byte.is_ascii_alphanumeric()
        || !byte.is_ascii()
        || style.quote.is_some_and(|quote| quote.as_bytes().first() == Some(&byte))
}

/// Text that is meant to be JSON, as JSON; nothing where it is beyond repair.
///
/// Mended are what a [`Decoder`](crate::Decoder) mends (quotes, commas, comments, Python's words,
/// brackets that do not match) and, since this text is all there is, an end that is missing.
///
/// ```
/// let json = toolwright_dialects::mend("{'a': [1, 2,], b: True").expect("it can be mended");
/// assert_eq!(json, r#"{"a":[1,2],"b":true}"#);
/// ```
pub fn mend(text: &str) -> Option<String> {
    mended(text, Style { lax: true, ..Style::JSON }).map(|(json, _)| json)
}

/// A whole text as one value in JSON, if it is one; and whether it had to be mended.
pub(crate) fn mended(text: &str, style: Style) -> Option<(String, bool)> {
    let read = Reader::of_whole(text, async |reader: &mut Reader| {
        reader.out.begin();
        let read = reader.value(To::Arguments, style).await;
        reader.blanks().await;
        let whole = read.is_ok() && reader.rest().is_empty();
        reader.out.draft.take().filter(|_| whole).map(|draft| (draft.json, draft.repaired))
    });
    read.flatten()
}
