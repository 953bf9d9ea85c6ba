//! [`Reader`]: a text as it arrives, read once from front to back.

mod feed;
mod looking;
mod out;
mod to;

use std::{
    future::poll_fn,
    sync::Arc,
    task::{Context, Poll, Waker},
};

pub(crate) use self::{
    feed::{End, Feed},
    out::{Draft, Out, Target},
    to::To,
};
use crate::{
    Dialect, ExtractedCall, KnownTools, WithdrawReason, grammar::Grammar, value::json::Open,
};

/// Why reading a call stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It is no call, or none that can be read.
    Broken,
    /// The text is over.
    CutOff,
}

/// A line, as far as it was looked at.
struct Line {
    /// Where it begins, in the whole text.
    start: usize,
    /// Whether it holds only blanks.
    blank: bool,
    /// How far the text was looked at.
    looked: usize,
}

impl Default for Line {
    fn default() -> Self {
        Self { start: 0, blank: true, looked: 0 }
    }
}

/// What reading something gives.
pub(crate) type Read<T = ()> = Result<T, Stop>;

/// A text as it arrives, read once from front to back, and the parts made of it.
///
/// What was read is shown as text, unless it is held: then it may be a call, and is either accepted
/// (and never shown) or given back.
pub(crate) struct Reader {
    feed: Arc<Feed>,
    text: String,
    /// How much of the whole text lies before `text`.
    base: usize,
    /// The next byte to read.
    at: usize,
    /// What lies before is shown, or will never be.
    shown: usize,
    /// From where on what was read is held.
    held: Option<usize>,
    /// From where on the text is kept, because what was made of it may not stand.
    kept: Option<usize>,
    /// The line that the last text looked at was in.
    line: Line,
    end: Option<End>,
    /// Whether somebody asked for more text behind its end.
    past_end: bool,
    pub(crate) out: Out,
    pub(crate) grammar: &'static Grammar,
    pub(crate) tools: KnownTools,
    /// Whether lines are known to begin with labels.
    pub(crate) labelled: bool,
    /// What a value is collected in that is no argument.
    pub(crate) scratch: String,
    /// What is open in the value that is being read.
    pub(crate) open: Vec<Open>,
}

impl Reader {
    pub(crate) fn new(feed: Arc<Feed>, grammar: &'static Grammar, tools: KnownTools) -> Self {
        Self {
            feed,
            text: String::new(),
            base: 0,
            at: 0,
            shown: 0,
            held: None,
            kept: None,
            line: Line::default(),
            labelled: false,
            end: None,
            past_end: false,
            out: Out::default(),
            grammar,
            tools,
            scratch: String::new(),
            open: Vec::new(),
        }
    }

    /// Reads a whole text with `read`.
    pub(crate) fn of_whole<T>(text: &str, read: impl AsyncFnOnce(&mut Self) -> T) -> Option<T> {
        let feed = Arc::new(Feed::new(Dialect::Auto));
        let mut reader = Self::new(feed, Grammar::none(), KnownTools::default());
        text.clone_into(&mut reader.text);
        reader.end = Some(End::Whole);
        let reading = std::pin::pin!(read(&mut reader));
        match reading.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            // It never waits: the text has ended.
            Poll::Pending => None,
        }
    }

    /// What has arrived and is not yet read.
    pub(crate) fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Waits for more text; false when there is none.
    pub(crate) async fn more(&mut self) -> bool {
        let came = match self.end {
            Some(_) => false,
            None => {
                self.show();
                self.out.send();
                self.forget();
                poll_fn(|_| self.take()).await
            }
        };
        self.past_end = !came;
        came
    }

    /// From here on it counts whether more is asked for than there is.
    pub(crate) fn watch_end(&mut self) {
        self.past_end = false;
    }

    /// Whether more was asked for than there is: what was read may have been about to go on.
    pub(crate) fn is_past_end(&self) -> bool {
        self.past_end
    }

    fn take(&mut self) -> Poll<bool> {
        match self.feed.take() {
            None => {
                self.feed.give(self.out.ready());
                Poll::Pending
            }
            Some(Ok(piece)) => {
                if self.text.is_empty() {
                    self.text = piece;
                } else {
                    self.text.push_str(&piece);
                }
                Poll::Ready(true)
            }
            Some(Err(end)) => {
                self.end = Some(end);
                Poll::Ready(false)
            }
        }
    }

    /// Shows what was read and is not held.
    pub(crate) fn show(&mut self) {
        let end = self.held.unwrap_or(self.at);
        if self.shown >= end {
            return;
        }
        self.look(end);
        if self.shown == 0 && end == self.text.len() && self.kept.is_none() {
            // The usual piece is all text: it goes on as it came.
            let text = std::mem::take(&mut self.text);
            self.base += end;
            (self.at, self.shown, self.line.looked) = (0, 0, 0);
            self.out.text(text);
            return;
        }
        let piece = self.text.get(self.shown..end).unwrap_or_default();
        let piece = piece.to_owned();
        self.shown = end;
        self.out.text(piece);
    }

    /// Looks for line breaks up to here, at each byte once.
    fn look(&mut self, end: usize) {
        let Some(piece) = self.text.get(self.line.looked..end) else { return };
        match piece.as_bytes().iter().rposition(|byte| *byte == b'\n') {
            Some(newline) => {
                self.line.start = self.base + self.line.looked + newline + 1;
                self.line.blank = piece.get(newline..).is_some_and(|it| it.trim_ascii().is_empty());
            }
            None => self.line.blank = self.line.blank && piece.trim_ascii().is_empty(),
        }
        self.line.looked = end;
    }

    /// Forgets what was shown and is not kept.
    fn forget(&mut self) {
        let kept = self.kept.map_or(self.shown, |kept| kept.saturating_sub(self.base));
        let done = self.shown.min(kept);
        // Not for every few bytes: what stays is moved.
        if done > 0 && (done == self.text.len() || done > self.text.len() / 2) {
            self.text.drain(..done);
            self.base += done;
            self.at -= done;
            self.shown -= done;
            self.held = self.held.map(|held| held.saturating_sub(done));
            self.line.looked = self.line.looked.saturating_sub(done);
        }
    }

    /// Where the line begins that the next byte is in.
    pub(crate) fn line(&mut self) -> usize {
        self.look(self.at);
        self.line.start
    }

    /// Whether only blanks stand before the next byte in its line.
    pub(crate) fn is_at_line_start(&mut self) -> bool {
        self.look(self.at);
        self.line.blank
    }

    /// From here on, text is kept, and parts are set aside: they may be reasoning after all.
    pub(crate) fn doubt(&mut self) {
        self.show();
        self.kept = Some(self.position());
        self.out.set_aside();
        self.out.turn_to(Target::Text);
    }

    /// What was made of the text since is wrong: it is what it was before, up to here.
    pub(crate) fn revoke(&mut self) {
        let Some(kept) = self.kept.take() else { return };
        self.out.drop_aside();
        self.shown = kept.saturating_sub(self.base).min(self.at);
        self.held = None;
        self.show();
    }

    /// Hands over the last parts.
    pub(crate) fn finish(mut self) {
        self.show();
        self.out.finish();
        self.feed.give(self.out.ready());
    }

    /// Whether the text is over because the model was cut off. Only known at its end.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.end == Some(End::CutOff)
    }

    /// Whether the text is over because the model stopped by itself. Only known at its end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.end == Some(End::Stopped)
    }

    /// Where the reading is, in the whole text.
    pub(crate) fn position(&self) -> usize {
        self.base + self.at
    }

    /// Goes back to where it was, within what is held.
    pub(crate) fn rewind(&mut self, position: usize) {
        self.at = position.saturating_sub(self.base).clamp(self.shown, self.at);
    }

    /// What was read of late and not yet shown.
    pub(crate) fn unshown(&self) -> &str {
        self.text.get(self.shown..self.at).unwrap_or_default()
    }

    pub(crate) fn bump(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.text.len());
    }

    /// Holds what is read from here on.
    pub(crate) fn hold(&mut self) {
        self.hold_behind(0);
    }

    /// Holds so many of the last bytes, and what is read from here on.
    pub(crate) fn hold_behind(&mut self, bytes: usize) {
        self.held = Some(self.at.saturating_sub(bytes).max(self.shown));
    }

    /// What was held up to here was a call or belongs to one: it is never shown.
    pub(crate) fn accept(&mut self) {
        // What stands before comes before.
        self.show();
        self.out.commit();
        self.held = Some(self.at);
        self.overlook();
    }

    /// What was read up to here is markup: it is not shown, and a line may begin behind it.
    fn overlook(&mut self) {
        self.shown = self.at;
        self.line.looked = self.at;
        self.line.blank = true;
    }

    /// Nothing is held any more: what was not accepted is text.
    pub(crate) fn release(&mut self) {
        self.held = None;
    }

    pub(crate) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// Gives the call that was read its name, where that is no tool's: if it is a call at all.
    pub(crate) fn name_unlisted(&mut self, name: &str) -> Read {
        let draft = self.out.draft.as_ref().ok_or(Stop::Broken)?;
        let Draft { id, json, repaired, .. } = draft;
        let arguments = if json.is_empty() { "{}" } else { json }.to_owned();
        let call =
            ExtractedCall { id: id.clone(), name: name.to_owned(), arguments, repaired: *repaired };
        if !self.tools.is_unlisted_call(&call) {
            return Err(Stop::Broken);
        }
        self.out.name(name);
        Ok(())
    }

    /// What was held is no call: it is given back as text.
    pub(crate) fn give_back(&mut self) {
        self.out.withdraw(WithdrawReason::Broken);
        self.held = None;
    }

    /// The text ended inside a call: nothing of it is shown.
    pub(crate) fn cut_off(&mut self) {
        self.show();
        self.out.cut_off();
        self.at = self.text.len();
        self.shown = self.at;
        self.held = None;
    }

    /// Leaves out the next bytes: they are markup.
    pub(crate) fn leave_out(&mut self, bytes: usize) {
        self.show();
        self.bump(bytes);
        self.overlook();
        self.out.note_other();
    }

    /// Leaves out all that is still to come.
    pub(crate) async fn silence(&mut self) {
        self.show();
        loop {
            self.at = self.text.len();
            self.shown = self.at;
            if !self.more().await {
                return;
            }
        }
    }

    /// Notes which dialect a call turned out to be in.
    pub(crate) fn recognised(&self, dialect: Dialect) {
        if self.grammar.dialect == Dialect::Auto {
            self.feed.recognised(dialect);
        }
    }

    /// The dialect, as far as it is known.
    pub(crate) fn dialect(&self) -> Dialect {
        match self.grammar.dialect {
            Dialect::Auto => self.feed.dialect(),
            dialect => dialect,
        }
    }
}
