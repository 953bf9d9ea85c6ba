//! [`Markdown`]: an answer as it is read in a terminal, laid out block by block while it is written.
//!
//! What a block is shows only when it has ended, and a terminal cannot take back what it was sent. So a block
//! is shown once it is complete: a paragraph with the line behind it, an item of a list with the next, code a
//! line at a time. What is growing can be shown elsewhere meanwhile ([`Markdown::growing`]).

mod block;
mod fence;
mod table;
mod wrap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use self::{block::Blocks, fence::Fence, wrap::text};
use crate::style::{DIM, END, NAME};

/// How much is kept back until its block ends. What is longer is shown in parts.
const LONGEST: usize = 16 * 1024;
/// Lines that are longer are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

/// An answer as it is read in a terminal.
pub(crate) struct Markdown {
    width: usize,
    /// What was written and is not shown yet.
    pending: String,
    /// The code that is being written.
    fence: Option<Fence>,
    before: Before,
}

/// What stands above the next block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// An item of a list, which the next of its kind may follow at once.
    Item {
        is_numbered: bool,
    },
    Other,
}

/// A block at the top, in the source.
#[derive(Clone, Copy)]
struct Block {
    start: usize,
    /// Where the last of its items begins, in a list.
    item: Option<usize>,
    /// Whether an empty line may belong to it.
    spans_gaps: bool,
    /// Whether it ends with its line.
    is_line: bool,
}

impl Markdown {
    /// Nothing yet, for a terminal that is so wide.
    pub(crate) fn new(width: usize) -> Self {
        let width = width.clamp(20, WIDEST);
        Self { width, pending: String::new(), fence: None, before: Before::Nothing }
    }

    /// Goes on, and returns what is complete now: whole lines, as they are shown.
    pub(crate) fn add(&mut self, piece: &str) -> String {
        self.pending.push_str(piece);
        let mut shown = String::new();
        if !piece.contains('\n') && self.pending.len() < LONGEST {
            return shown;
        }
        loop {
            let before = self.pending.len();
            match self.fence {
                Some(_) => self.take_code(&mut shown),
                None => self.take_blocks(&mut shown),
            }
            if self.pending.len() == before {
                return shown;
            }
        }
    }

    /// All that is left: nothing more comes.
    pub(crate) fn finish(&mut self) -> String {
        let mut shown = self.add("\n");
        let rest = std::mem::take(&mut self.pending);
        match self.fence.take() {
            Some(_) => shown.push_str(&code(&rest)),
            None => self.show(&rest, &mut shown),
        }
        self.before = Before::Nothing;
        shown
    }

    /// The end of what is not shown yet.
    pub(crate) fn growing(&self) -> &str {
        self.pending.lines().next_back().unwrap_or_default()
    }

    /// Lines of code, up to the fence that ends it.
    fn take_code(&mut self, shown: &mut String) {
        let Some(fence) = &self.fence else { return };
        let (mut taken, mut is_over) = (0, false);
        for line in self.pending.split_inclusive('\n').take_while(|line| line.ends_with('\n')) {
            taken += line.len();
            is_over = fence.is_ended_by(line);
            if is_over {
                break;
            }
            shown.push_str(&code(line));
        }
        self.pending.drain(..taken);
        if is_over {
            self.fence = None;
        }
    }

    /// The blocks that are complete, and the fence that begins the code behind them.
    fn take_blocks(&mut self, shown: &mut String) {
        let complete = self.complete();
        let blocks: String = self.pending.drain(..complete).collect();
        self.show(&blocks, shown);
        let Some((line, _)) = self.pending.split_once('\n') else { return };
        let Some((fence, language)) = Fence::begun_by(line) else { return };
        let length = line.len() + 1;
        if self.before != Before::Nothing {
            shown.push('\n');
        }
        if !language.is_empty() {
            shown.push_str(&format!("  {DIM}{language}{END}\n"));
        }
        (self.fence, self.before) = (Some(fence), Before::Other);
        self.pending.drain(..length);
    }

    /// How much of what is pending stands, whatever comes.
    fn complete(&self) -> usize {
        if self.pending.len() >= LONGEST {
            return self.pending.len();
        }
        // A line that is not finished may yet become anything.
        let ready = self.pending.rfind('\n').map_or(0, |at| at + 1);
        let Some(whole) = self.pending.get(..ready) else { return 0 };
        let Some(last) = last_block(whole) else { return ready };
        match last {
            Block { is_line: true, .. } => ready,
            Block { spans_gaps: false, .. } if has_gap(whole) => ready,
            Block { item: Some(item), .. } => item,
            Block { start, .. } => start,
        }
    }

    fn show(&mut self, source: &str, shown: &mut String) {
        let mut events = Parser::new_ext(source, options()).peekable();
        let Some(first) = events.peek() else { return };
        let goes_on = match (self.before, first) {
            (Before::Item { is_numbered }, Event::Start(Tag::List(number))) => {
                number.is_some() == is_numbered
            }
            _ => false,
        };
        if self.before != Before::Nothing && !goes_on {
            shown.push('\n');
        }
        let mut list = None;
        let watched = events.inspect(|event| {
            list = match event {
                Event::End(TagEnd::List(is_numbered)) => Some(*is_numbered),
                _ => None,
            }
        });
        for line in Blocks::new(watched).lines(self.width) {
            shown.push_str(&text(&line));
            shown.push('\n');
        }
        self.before = match list {
            Some(is_numbered) if !has_gap(source) => Before::Item { is_numbered },
            _ => Before::Other,
        };
    }
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Whether it ends with an empty line.
fn has_gap(source: &str) -> bool {
    let end = source.trim_end();
    source.get(end.len()..).is_some_and(|rest| rest.matches('\n').count() > 1)
}

/// The last block at the top.
fn last_block(source: &str) -> Option<Block> {
    let (mut depth, mut last) = (0_usize, None::<Block>);
    for (event, range) in Parser::new_ext(source, options()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    last = Some(Block::begun_by(&tag, source, range.start));
                }
                if let (1, Tag::Item, Some(list)) = (depth, &tag, &mut last) {
                    list.item = Some(range.start);
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ if depth == 0 => {
                let is_line = matches!(event, Event::Rule);
                last = Some(Block { start: range.start, item: None, spans_gaps: false, is_line });
            }
            _ => {}
        }
    }
    last
}

impl Block {
    fn begun_by(tag: &Tag<'_>, source: &str, start: usize) -> Self {
        let spans_gaps = matches!(tag, Tag::List(_) | Tag::CodeBlock(_) | Tag::HtmlBlock);
        let is_line = matches!(tag, Tag::Heading { .. })
            && source.get(start..).is_some_and(|it| it.starts_with('#'));
        Self { start, item: None, spans_gaps, is_line }
    }
}

/// Code as it is shown: further in, and as wide as it is.
fn code(lines: &str) -> String {
    lines.lines().map(|line| format!("  {NAME}{line}{END}\n")).collect()
}

#[cfg(test)]
mod tests;
