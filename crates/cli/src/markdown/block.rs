//! [`Blocks`]: what a text consists of, as lines.

use std::iter::Peekable;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};

use super::{
    table::Table,
    wrap::{Line, Span, wrapped},
};
use crate::style::{BOLD, DIM, ITALIC, NAME, STRUCK, Shown, UNDERLINED};

/// How far blocks stand within each other. What is deeper is shown no further in.
const DEEPEST: usize = 12;
/// Below this nothing is readable, and nothing gets narrower.
const NARROWEST: usize = 16;

/// The blocks of a text.
pub(super) struct Blocks<I: Iterator> {
    events: Peekable<I>,
}

impl<'a, I: Iterator<Item = Event<'a>>> Blocks<I> {
    pub(super) fn new(events: I) -> Self {
        Self { events: events.peekable() }
    }

    /// All of them, with an empty line between two.
    pub(super) fn lines(mut self, width: usize) -> Vec<Line> {
        self.within(width, 0, Spacing::Wide)
    }

    /// The blocks up to the end of what they stand in.
    fn within(&mut self, width: usize, depth: usize, spacing: Spacing) -> Vec<Line> {
        let mut all: Vec<Line> = Vec::new();
        // What is too deep is opened and closed here, so that nothing is as deep as a text wants it to be.
        let mut flat = 0_usize;
        while let Some(event) = self.events.peek() {
            let block = match event {
                Event::End(_) if flat == 0 => break,
                Event::End(_) => {
                    flat -= 1;
                    self.events.next();
                    continue;
                }
                Event::Start(tag) if depth >= DEEPEST && is_container(tag) => {
                    flat += 1;
                    self.events.next();
                    continue;
                }
                Event::Start(tag) if is_block(tag) => self.block(width, depth),
                Event::Rule => {
                    self.events.next();
                    vec![vec![Span::new(&"─".repeat(width.min(40)), Some(DIM))]]
                }
                _ => wrapped(&self.inline(None), width),
            };
            if !all.is_empty() && !block.is_empty() && spacing == Spacing::Wide {
                all.push(Line::new());
            }
            all.extend(block);
        }
        all
    }

    fn block(&mut self, width: usize, depth: usize) -> Vec<Line> {
        let Some(Event::Start(tag)) = self.events.next() else { return Vec::new() };
        let lines = match tag {
            Tag::Heading { level, .. } => {
                let style = if level == HeadingLevel::H1 { BOLD.and(UNDERLINED) } else { BOLD };
                wrapped(&self.inline(Some(style)), width)
            }
            Tag::CodeBlock(kind) => self.code(&kind),
            Tag::HtmlBlock => self.verbatim(),
            Tag::List(first) => return self.list(first, width, depth),
            Tag::BlockQuote(_) => {
                let inner = narrower(width, 2);
                let lines = self.within(inner, depth + 1, Spacing::Wide);
                let bar = || Span::new("│ ", Some(DIM));
                lines.into_iter().map(|line| [vec![bar()], line].concat()).collect()
            }
            Tag::Table(alignments) => return self.table(alignments, width),
            Tag::Paragraph => wrapped(&self.inline(None), width),
            _ => self.within(width, depth + 1, Spacing::Wide),
        };
        self.events.next();
        lines
    }

    /// What is shown as it stands there, further in.
    fn code(&mut self, kind: &CodeBlockKind<'_>) -> Vec<Line> {
        let language = match kind {
            CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or_default(),
            CodeBlockKind::Indented => "",
        };
        let code = self.verbatim().into_iter().map(|line| {
            let inner = line.into_iter().map(|span| span.styled(NAME));
            std::iter::once(Span::plain("  ")).chain(inner).collect()
        });
        let label =
            (!language.is_empty()).then(|| vec![Span::new(&format!("  {language}"), Some(DIM))]);
        label.into_iter().chain(code).collect()
    }

    fn verbatim(&mut self) -> Vec<Line> {
        let mut text = String::new();
        while let Some(Event::Text(part) | Event::Html(part)) =
            self.events.next_if(|it| matches!(it, Event::Text(_) | Event::Html(_)))
        {
            text.push_str(&part);
        }
        text.lines().map(|line| vec![Span::plain(line)]).collect()
    }

    fn list(&mut self, first: Option<u64>, width: usize, depth: usize) -> Vec<Line> {
        let (mut all, mut number) = (Vec::new(), first);
        while self.events.next_if(|it| matches!(it, Event::Start(Tag::Item))).is_some() {
            let mark = match number {
                Some(number) => format!("{number}. "),
                None => "• ".to_owned(),
            };
            number = number.map(|it| it.saturating_add(1));
            // Items of paragraphs stand apart, those of a line each do not.
            let is_wide = matches!(self.events.peek(), Some(Event::Start(Tag::Paragraph)));
            let spacing = if is_wide { Spacing::Wide } else { Spacing::Close };
            let indent = mark.chars().count();
            let lines = self.within(narrower(width, indent), depth + 1, spacing);
            self.events.next();
            if is_wide && !all.is_empty() {
                all.push(Line::new());
            }
            let margin = " ".repeat(indent);
            let lines = if lines.is_empty() { vec![Line::new()] } else { lines };
            for (at, line) in lines.into_iter().enumerate() {
                let margin =
                    if at == 0 { Span::new(&mark, Some(DIM)) } else { Span::plain(&margin) };
                all.push([vec![margin], line].concat());
            }
        }
        self.events.next();
        all
    }

    fn table(&mut self, alignments: Vec<pulldown_cmark::Alignment>, width: usize) -> Vec<Line> {
        let mut table = Table { alignments, rows: Vec::new() };
        let mut style = None;
        while let Some(event) = self.events.next() {
            match event {
                Event::Start(Tag::TableHead) => {
                    style = Some(BOLD);
                    table.rows.push(Vec::new());
                }
                Event::End(TagEnd::TableHead) => style = None,
                Event::Start(Tag::TableRow) => table.rows.push(Vec::new()),
                Event::Start(Tag::TableCell) => {
                    let cell = self.inline(style);
                    if let Some(row) = table.rows.last_mut() {
                        row.push(cell);
                    }
                    self.events.next();
                }
                Event::End(TagEnd::Table) => break,
                _ => {}
            }
        }
        table.lines(width)
    }

    /// Text up to the next block, or the end of the one it stands in.
    fn inline(&mut self, style: Option<Shown>) -> Vec<Span> {
        let (mut spans, mut styles, mut links) = (Vec::new(), vec![style], Vec::new());
        while let Some(event) = self.events.next_if(|it| is_inline(it) || !is_outside(it, &styles))
        {
            let style = styles.last().copied().flatten();
            let with = |more: Shown| Some(style.map_or(more, |it| it.and(more)));
            match event {
                Event::Start(tag) => styles.push(match tag {
                    Tag::Strong => with(BOLD),
                    Tag::Emphasis => with(ITALIC),
                    Tag::Strikethrough => with(STRUCK),
                    Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                        links.push((dest_url, spans.len()));
                        with(UNDERLINED)
                    }
                    _ => style,
                }),
                Event::End(end) => {
                    styles.pop();
                    if matches!(end, TagEnd::Link | TagEnd::Image)
                        && let Some((url, from)) = links.pop()
                    {
                        let said: String = spans.iter().skip(from).map(Span::said).collect();
                        // Where it leads is for the person to see, whatever it says.
                        if said != *url && !url.is_empty() {
                            spans.push(Span::new(&format!(" ({url})"), Some(DIM)));
                        }
                    }
                }
                Event::Text(text) | Event::InlineHtml(text) | Event::Html(text) => {
                    spans.push(Span::new(&text, style));
                }
                Event::Code(text) => spans.push(Span::new(&text, with(NAME))),
                Event::SoftBreak | Event::HardBreak => spans.push(Span::plain("\n")),
                Event::TaskListMarker(is_done) => {
                    spans.push(Span::plain(if is_done { "☑ " } else { "☐ " }));
                }
                _ => {}
            }
        }
        spans
    }
}

/// How far blocks within a block stand from each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spacing {
    Wide,
    Close,
}

fn narrower(width: usize, by: usize) -> usize {
    width.saturating_sub(by).max(NARROWEST)
}

fn is_container(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::BlockQuote(_) | Tag::List(_) | Tag::Item)
}

fn is_block(tag: &Tag<'_>) -> bool {
    !matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

fn is_inline(event: &Event<'_>) -> bool {
    match event {
        Event::Start(tag) => !is_block(tag),
        Event::End(_) | Event::Rule => false,
        _ => true,
    }
}

/// Whether an event ends what the text stands in: what was opened within it is closed first.
fn is_outside(event: &Event<'_>, styles: &[Option<Shown>]) -> bool {
    !matches!(event, Event::End(_)) || styles.len() <= 1
}
