//! The reading: what each marker and each form without one leads to.
//!
//! [`reply`] reads a whole reply. A frame begins behind its marker, with the marker held, and
//! either accepts what it read as calls, or stops: then all that was not accepted is text again.

mod bare;
mod braces;
mod elements;
mod fence;
mod header;
mod keyed;
mod lines;
mod message;
mod nested;
mod objects;
mod pairs;
mod python;
mod recipients;
mod scan;
mod swift;
mod tagged;
mod wrapper;
mod xtml;

use self::scan::{Ahead, Code, Sign};
use crate::{
    WithdrawReason,
    grammar::{Body, Form, Token},
    reader::{Read, Reader, Stop, Target},
};

/// What the text that comes next belongs to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Mode {
    /// The answer.
    #[default]
    Content,
    /// A thought, until the next label.
    Thought,
    /// Reasoning, until one of these marks.
    Reasoning(Marks),
    /// Text in which nothing is a call, until one of these marks.
    Quiet(Marks, Target),
    /// Nothing: the rest is not the model's to say.
    Silence,
}

pub(crate) type Marks = &'static [&'static str];

/// Whatever closes some dialect's reasoning.
pub(crate) const ANY_THOUGHT: Marks = &[
    "</think>",
    "[/THINK]",
    "<|END_THINKING|>",
    "<|inner_suffix|>",
    "</seed:think>",
    "</mm:think>",
    "<channel|>",
    "<|close|>think",
    "[BEGIN FINAL RESPONSE]",
    "<|end|>",
    "<|end_message|>",
];

/// Reads a whole reply.
pub(crate) async fn reply(mut reader: Reader, mode: Mode) {
    let mut reading = Reading { mode, ..Reading::default() };
    if matches!(mode, Mode::Reasoning(_)) {
        reader.out.turn_to(Target::Reasoning);
    }
    reading.begin(&mut reader).await;
    loop {
        if matches!(reading.mode, Mode::Silence) {
            reader.silence().await;
        }
        match scan::next(&mut reader, &mut reading.code, &mut reading.ahead).await {
            Sign::End => break,
            Sign::Marker(token, length) => reading.marker(&mut reader, token, length).await,
            sign => reading.bare(&mut reader, sign).await,
        }
    }
    reader.finish();
}

/// Where a reading is.
#[derive(Default)]
pub(crate) struct Reading {
    mode: Mode,
    /// Whether text stands in code, where nothing without a marker is a call.
    code: Code,
    /// How far ahead there is only plain text.
    ahead: Ahead,
    /// The mark that closes an opener which was given back as text: it is text, too.
    given_back: Option<&'static str>,
    /// What closes the answer, if it is wrapped.
    answer: Option<&'static str>,
    /// What would close the reasoning in which a call was found: then it was none.
    doubt: Option<Marks>,
}

impl Reading {
    /// Reads what only a reply's beginning can hold.
    async fn begin(&mut self, reader: &mut Reader) {
        if !matches!(self.mode, Mode::Content) {
            return;
        }
        reader.hold();
        let start = reader.position();
        let mut read = Err(Stop::Broken);
        let forms = [Form::Headers, Form::Recipients, Form::Lines, Form::Actions, Form::Python];
        for form in forms.into_iter().filter(|form| reader.grammar.has(*form)) {
            reader.watch_end();
            read = match form {
                Form::Headers => message::first(reader).await,
                Form::Recipients => recipients::first(reader).await,
                Form::Python => python::alone(reader).await.map(|()| Mode::Content),
                _ => lines::first(reader).await,
            };
            // What was given back on the way is text, and not looked at again.
            if !matches!(read, Err(Stop::Broken)) || !reader.is_held() {
                break;
            }
            reader.out.withdraw(WithdrawReason::Broken);
            reader.rewind(start);
        }
        let read = at_end(reader, read, Opened::ByForm);
        self.settle(reader, read, Opened::ByForm);
    }

    /// Reads what a marker leads to.
    async fn marker(&mut self, reader: &mut Reader, token: Token, length: usize) {
        // What stands before it is said before it.
        reader.show();
        match (token, self.mode) {
            (Token::Mark(mark), Mode::Quiet(marks, _) | Mode::Reasoning(marks))
                if marks.contains(&mark) =>
            {
                reader.leave_out(length);
                self.turn(reader, Mode::Content);
            }
            // A message may begin before the last one was closed.
            (Token::Call(Body::Message), Mode::Quiet(..)) => {
                self.turn(reader, Mode::Content);
                self.frame(reader, Body::Message, length).await;
            }
            (Token::Mark(mark), _) if self.doubt.is_some_and(|marks| marks.contains(&mark)) => {
                // The block is closed after all: what looked like a call is reasoning.
                self.doubt = None;
                reader.revoke();
                reader.leave_out(length);
                self.turn(reader, Mode::Content);
            }
            (Token::Mark(mark), _) if self.given_back == Some(mark) => {
                self.given_back = None;
                reader.bump(length);
            }
            // A wrapper that was not taken for one is closed by text.
            (Token::Mark("</answer>" | "</response>"), Mode::Content) if self.answer.is_none() => {
                reader.bump(length);
            }
            (Token::Answer(close), Mode::Content) if reader.out.is_only_thought() => {
                self.answer = Some(close);
                reader.leave_out(length);
            }
            (Token::Mark(_), Mode::Content | Mode::Thought) => reader.leave_out(length),
            (Token::Think(marks), Mode::Content) if self.doubt.is_none() => {
                reader.leave_out(length);
                self.turn(reader, Mode::Reasoning(marks));
            }
            (Token::Quiet(marks), Mode::Content) => {
                reader.leave_out(length);
                self.turn(reader, Mode::Quiet(marks, Target::Text));
            }
            (Token::EndOfTurn, _) => self.end_of_turn(reader, length).await,
            (Token::Call(body), Mode::Content | Mode::Thought | Mode::Reasoning(_)) => {
                self.frame(reader, body, length).await;
            }
            _ => reader.bump(length),
        }
    }

    /// A token that ends a turn is markup at the end, and text anywhere else.
    async fn end_of_turn(&mut self, reader: &mut Reader, length: usize) {
        reader.hold();
        reader.bump(length);
        reader.blanks().await;
        if reader.peek().await.is_none()
            || matches!(reader.marker().await, Some((Token::EndOfTurn, _)))
        {
            reader.accept();
            reader.out.note_other();
        }
        reader.release();
    }

    /// Reads the call that a marker opens.
    async fn frame(&mut self, reader: &mut Reader, body: Body, length: usize) {
        self.call(reader, Opened::ByMarker(closing(body)), async |reader: &mut Reader| {
            reader.bump(length);
            match body {
                Body::Wrapper { close, dialect } => wrapper::read(reader, close, dialect).await?,
                Body::Keyed => keyed::read(reader).await?,
                Body::Section(close) => header::section(reader, close).await?,
                Body::Mistral => header::mistral(reader).await?,
                Body::Function | Body::Element => {
                    reader.rewind(reader.position().saturating_sub(length));
                    elements::element(reader).await?;
                    reader.accept();
                }
                Body::Header => header::read(reader).await?,
                Body::Solar => header::solar(reader).await?,
                Body::Braces { quote, close, dialect } => {
                    braces::read(reader, quote, close, dialect).await?;
                }
                Body::PythonTag => python::tag(reader).await?,
                Body::Message => {
                    reader.rewind(reader.position().saturating_sub(length));
                    return message::read(reader).await;
                }
                Body::Xtml => xtml::read(reader).await?,
                Body::Nested => nested::read(reader).await?,
                Body::Typed => header::typed(reader).await?,
            }
            Ok(Mode::Content)
        })
        .await;
    }

    /// Reads what looks like a call without a marker.
    async fn bare(&mut self, reader: &mut Reader, sign: Sign) {
        match sign {
            _ if matches!(self.mode, Mode::Quiet(..)) => reader.bump(1),
            Sign::Json => {
                self.call(reader, Opened::ByForm, async |reader: &mut Reader| {
                    bare::read(reader).await.map(|()| Mode::Content)
                })
                .await;
            }
            Sign::Functools => {
                reader.hold_behind(scan::FUNCTOOLS.len());
                self.call(reader, Opened::ByForm, async |reader: &mut Reader| {
                    bare::functools(reader).await.map(|()| Mode::Content)
                })
                .await;
            }
            Sign::Fence => fence::read(self, reader).await,
            Sign::Line => {
                self.call(reader, Opened::ByForm, async |reader: &mut Reader| {
                    lines::read(reader).await
                })
                .await;
            }
            Sign::Recipient => {
                self.call(reader, Opened::ByForm, async |reader: &mut Reader| {
                    recipients::read(reader).await
                })
                .await;
            }
            Sign::End | Sign::Marker(..) => {}
        }
    }

    /// Reads a call with `read`, and does what follows from how that went.
    pub(crate) async fn call(
        &mut self,
        reader: &mut Reader,
        opened: Opened,
        read: impl AsyncFnOnce(&mut Reader) -> Read<Mode>,
    ) {
        let reasoning = match self.mode {
            Mode::Reasoning(marks) if !reader.grammar.has(Form::ThinkingCalls) => Some(marks),
            _ => None,
        };
        if !reader.is_held() {
            reader.hold();
        }
        let start = reader.position();
        if reasoning.is_some() {
            // A call in reasoning counts only if the block is never closed.
            reader.doubt();
        }
        let before = reader.out.committed();
        reader.watch_end();
        let read = read(reader).await;
        let read = at_end(reader, read, opened);
        if let Some(marks) = reasoning {
            let called = match read {
                Ok(_) => reader.out.waiting() > 0,
                Err(Stop::CutOff) => true,
                Err(Stop::Broken) => false,
            };
            if !called && reader.out.committed() == before {
                reader.revoke();
                self.advance(reader, start);
                return;
            }
            self.doubt = Some(marks);
            self.mode = Mode::Content;
        }
        self.settle(reader, read, opened);
        self.advance(reader, start);
    }

    /// What was looked at once is not looked at again.
    fn advance(&self, reader: &mut Reader, start: usize) {
        if reader.position() == start {
            reader.bump(1);
        }
    }

    fn settle(&mut self, reader: &mut Reader, read: Read<Mode>, opened: Opened) {
        match read {
            Ok(mode) => {
                reader.accept();
                reader.release();
                self.given_back = None;
                if !matches!((mode, self.mode), (Mode::Content, Mode::Reasoning(_))) {
                    self.turn(reader, mode);
                }
            }
            Err(Stop::Broken) => {
                if let Opened::ByMarker(Some(close)) = opened {
                    self.given_back = Some(close);
                }
                reader.give_back();
            }
            Err(Stop::CutOff) => reader.cut_off(),
        }
    }

    fn turn(&mut self, reader: &mut Reader, mode: Mode) {
        self.mode = mode;
        // What was read so far belongs to what was before.
        reader.show();
        reader.out.turn_to(match mode {
            Mode::Content | Mode::Silence => Target::Text,
            Mode::Thought | Mode::Reasoning(_) => Target::Reasoning,
            Mode::Quiet(_, target) => target,
        });
    }
}

/// What made it look as if a call began.
#[derive(Clone, Copy)]
pub(crate) enum Opened {
    /// A marker, and what closes it.
    ByMarker(Option<&'static str>),
    /// Nothing but the form: only a name that is known makes it a call.
    ByForm,
}

/// How reading a call went, where the text may have ended in it. What cannot be read because its rest
/// is missing is cut off and not broken, wherever the text ended: in a value, in a word, in the middle
/// of a closing mark.
fn at_end(reader: &Reader, read: Read<Mode>, opened: Opened) -> Read<Mode> {
    let named = || reader.out.draft.as_ref().is_some_and(|draft| draft.name.is_some());
    let (by_form, begun) = match opened {
        Opened::ByMarker(_) => (false, true),
        Opened::ByForm => (true, named()),
    };
    match read {
        Err(Stop::Broken) if begun && reader.is_held() && reader.is_past_end() => {
            at_end(reader, Err(Stop::CutOff), opened)
        }
        Err(Stop::CutOff) if by_form && reader.is_stopped() => Err(Stop::Broken),
        read => read,
    }
}

/// The mark that closes a body.
fn closing(body: Body) -> Option<&'static str> {
    match body {
        Body::Wrapper { close, .. } | Body::Braces { close, .. } | Body::Section(close) => {
            Some(close)
        }
        Body::Function => Some("</function>"),
        Body::Keyed => Some("<|tools_suffix|>"),
        Body::Nested => Some("]</tool_call>"),
        Body::Header => Some("<|tool_call_end|>"),
        _ => None,
    }
}
