//! [`Markers`]: the fixed strings of a dialect, found at a place in one pass.
//!
//! A pattern is matched as it is written, but for the spellings that models confuse: `|` is also
//! the full-width bar, `_` is also the lower block, a blank, or an underscore behind a backslash. A
//! `·` stands for any blanks or none, a `…` for an optional suffix such as `:v2`.

/// The fixed strings of a dialect, as a tree by byte.
pub(crate) struct Markers<T> {
    nodes: Vec<Node<T>>,
    /// Which bytes a marker can begin with.
    first: [bool; 256],
}

struct Node<T> {
    edges: Vec<(u8, u16)>,
    /// Where each byte leads, for those with many edges; 0 is nowhere.
    table: Option<Box<[u16; 256]>>,
    /// Blanks may stand here.
    blanks: bool,
    /// A suffix may stand here.
    suffix: bool,
    token: Option<T>,
}

impl<T> Default for Node<T> {
    fn default() -> Self {
        Self { edges: Vec::new(), table: None, blanks: false, suffix: false, token: None }
    }
}

/// So many edges are looked through one by one.
const FEW: usize = 3;

impl<T> Node<T> {
    fn tabulate(&mut self) {
        let mut table = Box::new([0; 256]);
        for (byte, next) in &self.edges {
            if let Some(place) = table.get_mut(usize::from(*byte)) {
                *place = *next;
            }
        }
        self.table = Some(table);
    }

    #[inline]
    fn next(&self, byte: u8) -> Option<u16> {
        if let Some(table) = &self.table {
            return table.get(usize::from(byte)).copied().filter(|node| *node != 0);
        }
        self.edges.iter().find(|(edge, _)| *edge == byte).map(|(_, node)| *node)
    }
}

impl<T: Copy> Markers<T> {
    /// The tree of these patterns. Where two are the same, the first holds.
    pub(crate) fn new(patterns: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let mut markers = Self { nodes: vec![Node::default()], first: [false; 256] };
        for (pattern, token) in patterns {
            markers.insert(pattern, token);
        }
        markers.nodes.iter_mut().filter(|node| node.edges.len() > FEW).for_each(Node::tabulate);
        markers
    }

    fn insert(&mut self, pattern: &str, token: T) {
        let mut at = 0_usize;
        if let Some(first) = pattern.bytes().next()
            && let Some(begins) = self.first.get_mut(usize::from(first))
        {
            *begins = true;
        }
        for letter in pattern.chars() {
            let count = self.nodes.len();
            let Some(node) = self.nodes.get_mut(at) else { return };
            match letter {
                '·' => node.blanks = true,
                '…' => node.suffix = true,
                _ => {
                    let byte = u8::try_from(letter).unwrap_or(b'?');
                    at = match node.next(byte) {
                        Some(next) => usize::from(next),
                        None => {
                            node.edges.push((byte, u16::try_from(count).unwrap_or(0)));
                            self.nodes.push(Node::default());
                            count
                        }
                    };
                }
            }
        }
        if let Some(node) = self.nodes.get_mut(at) {
            node.token.get_or_insert(token);
        }
    }

    /// Whether some marker begins with this byte.
    pub(crate) fn may_begin(&self, byte: u8) -> bool {
        self.first.get(usize::from(byte)).copied().unwrap_or_default()
    }

    /// Whether some marker may come next, as far as the first two bytes tell.
    pub(crate) fn may_come(&self, rest: &[u8]) -> bool {
        match rest {
            [first, second, ..] if second.is_ascii_graphic() && *second != b'\\' => {
                let node = self.nodes.first().and_then(|root| root.next(*first));
                let node = node.and_then(|node| self.nodes.get(usize::from(node)));
                node.is_some_and(|node| node.next(*second).is_some() || node.suffix)
            }
            [first, ..] => self.may_begin(*first),
            [] => false,
        }
    }
}

/// A way through the tree, which goes on when more text has come.
pub(crate) struct Walk<'a, T> {
    markers: &'a Markers<T>,
    node: usize,
    read: usize,
    in_suffix: bool,
    found: Option<(T, usize)>,
}

impl<'a, T: Copy> Walk<'a, T> {
    pub(crate) fn new(markers: &'a Markers<T>) -> Self {
        Self { markers, node: 0, read: 0, in_suffix: false, found: None }
    }

    /// Goes on through `rest`, all the text from the marker's beginning; true when it came to an
    /// end and more text would change nothing.
    pub(crate) fn on(&mut self, rest: &[u8]) -> bool {
        loop {
            let Some(node) = self.markers.nodes.get(self.node) else { return true };
            if let Some(token) = node.token {
                self.found = Some((token, self.read));
            }
            if node.edges.is_empty() {
                return true;
            }
            // Nearly always a marker is spelt as it should be.
            let ahead = rest.get(self.read..).unwrap_or_default();
            if !self.in_suffix
                && let Some(first) = ahead.first()
                && let Some(next) = node.next(*first)
            {
                self.node = usize::from(next);
                self.read += 1;
                continue;
            }
            let Some((byte, length)) = symbol(ahead) else { return false };
            if self.in_suffix && (byte.is_ascii_alphanumeric() || byte == b'_') {
                self.read += length;
                continue;
            }
            match node.next(byte).or_else(|| (byte == b' ').then(|| node.next(b'_'))?) {
                Some(next) => {
                    self.in_suffix = false;
                    self.node = usize::from(next);
                }
                None if node.blanks && byte.is_ascii_whitespace() => {}
                None if node.suffix && byte == b':' => self.in_suffix = true,
                None => return true,
            }
            self.read += length;
        }
    }

    /// The longest marker on the way.
    pub(crate) fn found(&self) -> Option<(T, usize)> {
        self.found
    }
}

/// The next byte as patterns spell it, and how many bytes it takes. Nothing when that depends on
/// what comes next.
fn symbol(rest: &[u8]) -> Option<(u8, usize)> {
    const BAR: &[u8] = "｜".as_bytes();
    const BLOCK: &[u8] = "▁".as_bytes();
    let first = *rest.first()?;
    if first.is_ascii() && first != b'\\' {
        return Some((first, 1));
    }
    for (spelling, byte) in [(BAR, b'|'), (BLOCK, b'_'), (&b"\\_"[..], b'_')] {
        if spelling.first() == Some(&first) {
            if rest.starts_with(spelling) {
                return Some((byte, spelling.len()));
            }
            if spelling.starts_with(rest) {
                return None;
            }
        }
    }
    Some((first, 1))
}
