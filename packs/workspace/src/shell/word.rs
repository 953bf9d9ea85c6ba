//! [`Word`]: a word of a command, as the command gets it.

use tree_sitter::Node;

use super::{quoted, tree::Script};

/// A word of a command, as the command gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The text without its quotes; as it is written, where that does not tell what the command gets.
    pub(super) text: String,
    pub(super) kind: Kind,
}

/// How much of a word is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The command gets exactly this.
    Plain,
    /// The command gets names of files that look like this.
    Pattern,
    /// Nobody knows before it runs.
    Open,
}

impl Word {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: Kind::Plain }
    }

    /// The word at a place in the tree.
    pub(super) fn of(script: &Script<'_>, node: Node<'_>) -> Self {
        let mut pieces = Pieces::default();
        if node.kind() == "concatenation" {
            let mut cursor = node.walk();
            for piece in node.children(&mut cursor) {
                pieces.add(script, piece);
            }
        } else {
            pieces.add(script, node);
        }
        pieces.word(script.text(node))
    }

    /// Whether the command gets exactly this.
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind == Kind::Plain && self.text == text
    }

    /// The word as it is shown and compared.
    pub(super) fn shown(&self) -> String {
        if self.kind != Kind::Plain || is_unmistakable(&self.text) {
            return self.text.clone();
        }
        format!("'{}'", self.text.replace('\'', r"'\''"))
    }

    /// Whether what the command gets may begin with `-`.
    pub(super) fn may_be_option(&self) -> bool {
        match self.kind {
            Kind::Plain => self.text.starts_with('-'),
            Kind::Pattern => self.text.starts_with(['-', '*', '?', '[']),
            Kind::Open => true,
        }
    }
}

/// Whether a word means the same without quotes.
fn is_unmistakable(text: &str) -> bool {
    let is_safe = |c: char| c.is_alphanumeric() || "_./:=@%+,^~-{}!#".contains(c);
    !text.is_empty()
        && text.chars().all(is_safe)
        && !text.starts_with(['~', '#'])
        && !is_expanded(text)
}

/// Whether braces in an unquoted word would make several of it.
fn is_expanded(text: &str) -> bool {
    text.contains('{') && (text.contains(',') || text.contains(".."))
}

/// What a word is put together from.
#[derive(Default)]
struct Pieces {
    text: String,
    /// The parts without quotes, for what the shell makes of them.
    bare: String,
    is_quoted: bool,
    is_open: bool,
    is_pattern: bool,
}

impl Pieces {
    fn add(&mut self, script: &Script<'_>, node: Node<'_>) {
        let text = script.text(node);
        match node.kind() {
            "word" | "test_operator" | "variable_name" | "special_variable_name" | "$" => {
                self.bare(text);
            }
            "number" if node.child_count() == 0 => self.bare(text),
            "raw_string" => {
                self.is_quoted = true;
                self.text.push_str(text.trim_matches('\''));
            }
            "ansi_c_string" => {
                self.is_quoted = true;
                self.text.push_str(&quoted::unescaped(text).unwrap_or_default());
            }
            "string" => self.string(text, node),
            "``" => {}
            _ => self.is_open = true,
        }
    }

    fn bare(&mut self, text: &str) {
        self.bare.push_str(text);
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => {
                    self.is_quoted = true;
                    self.text.extend(chars.next());
                    continue;
                }
                '*' | '?' | '[' => self.is_pattern = true,
                _ => {}
            }
            self.text.push(c);
        }
    }

    fn string(&mut self, text: &str, node: Node<'_>) {
        self.is_quoted = true;
        let mut cursor = node.walk();
        let is_text = |it: &Node<'_>| !it.is_named() || it.kind() == "string_content";
        self.is_open |= !node.children(&mut cursor).all(|it| is_text(&it));
        let inside = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
        let mut chars = inside.unwrap_or_default().chars();
        while let Some(c) = chars.next() {
            match (c, c == '\\') {
                (_, true) => match chars.next() {
                    Some('\n') | None => {}
                    Some(it @ ('$' | '`' | '"' | '\\')) => self.text.push(it),
                    Some(it) => self.text.extend(['\\', it]),
                },
                (c, false) => self.text.push(c),
            }
        }
    }

    fn word(self, raw: &str) -> Word {
        let kind = match () {
            () if self.is_open || is_expanded(&self.bare) => Kind::Open,
            () if self.is_pattern => Kind::Pattern,
            () => Kind::Plain,
        };
        // A home that is not quoted stands for somewhere else than one that is.
        let is_home = self.bare.starts_with('~') && raw.starts_with('~');
        match kind {
            Kind::Plain if is_home => Word { text: raw.to_owned(), kind: Kind::Pattern },
            Kind::Plain => Word::plain(self.text),
            kind if self.is_quoted || kind == Kind::Open => Word { text: raw.to_owned(), kind },
            kind => Word { text: self.text, kind },
        }
    }
}
