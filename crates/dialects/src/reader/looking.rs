//! What comes next in a text: each of these waits for it, if it has not arrived.

use super::{Read, Reader, Stop};
use crate::{
    grammar::Token,
    marker::{Markers, Walk},
};

impl Reader {
    /// The next byte, if it has arrived. Nearly always it has: whoever asks this first does not
    /// have to wait.
    #[inline]
    pub(crate) fn ready(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte; nothing at the end.
    #[inline]
    pub(crate) async fn peek(&mut self) -> Option<u8> {
        match self.ready() {
            None => self.peek_at(0).await,
            byte => byte,
        }
    }

    /// The next byte inside a call, where the end of the text means that the call was cut off.
    #[inline]
    pub(crate) async fn byte(&mut self) -> Read<u8> {
        match self.ready() {
            Some(byte) => Ok(byte),
            None => self.peek_at(0).await.ok_or(Stop::CutOff),
        }
    }

    /// The byte so far ahead.
    pub(crate) async fn peek_at(&mut self, ahead: usize) -> Option<u8> {
        loop {
            if let Some(byte) = self.text.as_bytes().get(self.at + ahead) {
                return Some(*byte);
            }
            if !self.more().await {
                return None;
            }
        }
    }

    /// Skips the blanks that have arrived; the byte behind them, if it has, too.
    #[inline]
    pub(crate) fn skip_blanks(&mut self) -> Option<u8> {
        while let Some(byte) = self.ready() {
            if !byte.is_ascii_whitespace() {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    /// Skips blanks.
    #[inline]
    pub(crate) async fn blanks(&mut self) {
        while self.skip_blanks().is_none() && self.more().await {}
    }

    /// Reads on while `part` holds. Where that is for more than `most` bytes, it stops behind as many
    /// as these, wherever the text was cut.
    pub(crate) async fn span(&mut self, most: usize, part: impl Fn(u8) -> bool) -> Read<String> {
        let mut span = String::new();
        loop {
            let rest = self.rest();
            let end = rest.bytes().position(|byte| !part(byte)).unwrap_or(rest.len());
            let read = rest.floor_char_boundary(end.min(most - span.len()));
            span.push_str(rest.get(..read).unwrap_or_default());
            let (stopped, over) = (end < rest.len(), read < end);
            self.bump(read);
            match (over, stopped) {
                (true, _) => return Err(Stop::Broken),
                (false, true) => return Ok(span),
                (false, false) => self.byte().await?,
            };
        }
    }

    /// Whether this text comes next. Reads nothing.
    pub(crate) async fn sees(&mut self, text: &str) -> bool {
        loop {
            let rest = self.rest();
            if rest.len() >= text.len() {
                return rest.starts_with(text);
            }
            if !text.starts_with(rest) || !self.more().await {
                return false;
            }
        }
    }

    /// Reads this text if it comes next.
    pub(crate) async fn eat(&mut self, text: &str) -> bool {
        let seen = self.sees(text).await;
        if seen {
            self.at += text.len();
        }
        seen
    }

    /// Whether these texts come next, one behind the other. Reads nothing.
    pub(crate) async fn sees_all(&mut self, texts: &[&str]) -> bool {
        loop {
            let mut rest = self.rest();
            let mut whole = true;
            // Most often the first byte tells.
            let first = texts.first().and_then(|text| text.as_bytes().first());
            if rest.as_bytes().first().is_some_and(|byte| Some(byte) != first) && first.is_some() {
                return false;
            }
            // Comparing with nothing is dear: it has no place in memory.
            for text in texts.iter().filter(|text| !text.is_empty()) {
                if let Some(after) = rest.strip_prefix(*text) {
                    rest = after;
                } else if text.starts_with(rest) {
                    whole = false;
                    break;
                } else {
                    return false;
                }
            }
            if whole || !self.more().await {
                return whole;
            }
        }
    }

    /// Reads these texts if they come next, one behind the other.
    pub(crate) async fn eat_all(&mut self, texts: &[&str]) -> bool {
        let seen = self.sees_all(texts).await;
        if seen {
            self.at += texts.iter().map(|text| text.len()).sum::<usize>();
        }
        seen
    }

    /// The marker that comes next, and its length. Reads nothing.
    pub(crate) async fn marker(&mut self) -> Option<(Token, usize)> {
        let mut walk = Walk::new(&self.grammar.markers);
        loop {
            if walk.on(self.rest().as_bytes()) || !self.more().await {
                return walk.found();
            }
        }
    }

    /// The one of these markers that must come next, and its length. Reads nothing.
    pub(crate) async fn separator<T: Copy>(
        &mut self,
        markers: &'static Markers<T>,
    ) -> Read<(T, usize)> {
        let mut walk = Walk::new(markers);
        loop {
            if walk.on(self.rest().as_bytes()) {
                return walk.found().ok_or(Stop::Broken);
            }
            if !self.more().await {
                return walk.found().ok_or(Stop::CutOff);
            }
        }
    }

    /// Reads the brackets behind a call's JSON that are too many: they vanish, and the call was mended.
    pub(crate) async fn surplus(&mut self) {
        let mut after = self.position();
        self.blanks().await;
        while matches!(self.peek().await, Some(b'}' | b']')) {
            self.out.mend();
            self.out.mend_all();
            self.bump(1);
            after = self.position();
            self.blanks().await;
        }
        self.rewind(after);
    }

    /// Reads this text, which must come next.
    pub(crate) async fn require(&mut self, text: &str) -> Read {
        if self.eat(text).await {
            return Ok(());
        }
        // While it could still have come, more was waited for: so this is the end.
        let rest = self.rest();
        let over = rest.len() < text.len() && text.starts_with(rest);
        Err(if over { Stop::CutOff } else { Stop::Broken })
    }
}
