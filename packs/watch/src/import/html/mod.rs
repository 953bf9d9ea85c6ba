//! An HTML file of activity: its entries, and what is in one.

mod cells;

use html5gum::{HtmlString, StartTag, Token, Tokenizer};

pub(super) use self::cells::Cells;
use super::{
    date,
    entry::{Entry, is_of_ads},
    verbs::plain,
    words::Languages,
};

/// Longer details are explanations.
const LONGEST_DETAIL: usize = 80;

/// What an entry says, part by part.
#[derive(Default)]
struct Parts {
    place: Place,
    header: String,
    /// What was done with what, then the channel, then the time.
    lines: Vec<Line>,
    /// What is said below: each part has a heading.
    sections: Vec<Vec<String>>,
}

#[derive(Default)]
struct Line {
    text: String,
    /// The address of the first link, and its text.
    link: Option<(String, String)>,
    is_linked: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Outside,
    Header,
    Content,
    Caption,
    Heading,
}

/// The entry in a cell, or what is wrong with it.
pub(super) fn entry(cell: &[u8], languages: &mut Languages) -> Result<Entry, String> {
    let mut parts = Parts::default();
    for token in Tokenizer::new(cell) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => parts.open(&tag),
            Token::EndTag(tag) => parts.close(&tag.name),
            Token::String(text) => parts.text(&String::from_utf8_lossy(&text)),
            _ => {}
        }
    }
    parts.entry(languages)
}

impl Parts {
    fn open(&mut self, tag: &StartTag<()>) {
        match (tag.name.as_slice(), self.place) {
            (b"div", _) => self.place = place(&attribute(tag, b"class")),
            (b"br", Place::Content) => self.lines.push(Line::default()),
            (b"br", Place::Caption) => {
                if let Some(section) = self.sections.last_mut() {
                    section.push(String::new());
                }
            }
            (b"b", Place::Caption) => {
                self.place = Place::Heading;
                self.sections.push(Vec::new());
            }
            (b"a", Place::Content) => {
                if let Some(line) = self.line() {
                    line.is_linked = line.link.is_none();
                    line.link.get_or_insert_with(|| (attribute(tag, b"href"), String::new()));
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &HtmlString) {
        match (name.as_slice(), self.place) {
            (b"div", _) => self.place = Place::Outside,
            (b"b", Place::Heading) => self.place = Place::Caption,
            (b"a", Place::Content) => {
                if let Some(line) = self.line() {
                    line.is_linked = false;
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        match self.place {
            Place::Outside | Place::Heading => {}
            Place::Header => self.header.push_str(text),
            Place::Content => {
                let Some(line) = self.line() else { return };
                line.text.push_str(text);
                if let Some((_, linked)) = line.link.as_mut().filter(|_| line.is_linked) {
                    linked.push_str(text);
                }
            }
            Place::Caption => {
                if let Some(item) = self.sections.last_mut().and_then(|it| it.last_mut()) {
                    item.push_str(text);
                }
            }
        }
    }

    fn line(&mut self) -> Option<&mut Line> {
        if self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        self.lines.last_mut()
    }

    fn entry(self, languages: &mut Languages) -> Result<Entry, String> {
        let details = self.details();
        let products = self.sections.first().cloned().unwrap_or_default();
        let products = products.iter().map(|it| plain(it)).filter(|it| !it.is_empty()).collect();
        let header = plain(&self.header);
        let mut lines = self.lines.into_iter().filter(|it| !plain(&it.text).is_empty());
        let Some(said) = lines.next() else { return Err(String::from("it says nothing")) };
        let Some(time) = lines.next_back() else { return Err(String::from("it has no time")) };
        let time = plain(&time.text);
        languages.hear(&plain(&said.text));
        let at = date::read(&time, languages);
        let at = at.ok_or_else(|| format!("its time cannot be read: {time}"))?;
        let channel = lines.find_map(|it| it.link).map(|(address, name)| (name, Some(address)));
        let (address, title) = said.link.unzip();
        Ok(Entry { header, products, said: said.text, title, address, channel, details, at })
    }

    /// What stands between the products and the reason why the entry is there.
    fn details(&self) -> Vec<String> {
        let between = match self.sections.as_slice() {
            [_, between @ .., _] if !between.is_empty() => between,
            [_, last] => std::slice::from_ref(last),
            _ => &[],
        };
        let is_alone = self.sections.len() == 2;
        let items = between.iter().flatten().map(|it| plain(it));
        items
            .filter(|it| !it.is_empty())
            .filter(|it| !is_alone || (it.chars().count() < LONGEST_DETAIL && is_of_ads(it)))
            .collect()
    }
}

fn place(class: &str) -> Place {
    let has = |name: &str| class.split_ascii_whitespace().any(|it| it == name);
    if has("header-cell") {
        Place::Header
    } else if !has("content-cell") || has("mdl-typography--text-right") {
        Place::Outside
    } else if has("mdl-typography--caption") {
        Place::Caption
    } else {
        Place::Content
    }
}

fn attribute(tag: &StartTag<()>, name: &[u8]) -> String {
    let value = tag.attributes.get(name);
    value.map(|it| String::from_utf8_lossy(it).into_owned()).unwrap_or_default()
}
