//! [`List`]: byte strings in order, narrowed down byte by byte.

/// Byte strings in order, each with what follows once it was written.
#[derive(Debug)]
pub(super) struct List<T> {
    entries: Vec<(Box<[u8]>, T)>,
}

/// The part of a list, or of a text's suffixes, that begins with what was written so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Range {
    pub(super) from: u32,
    pub(super) to: u32,
    /// How many bytes were written.
    pub(super) depth: u32,
}

impl<T> List<T> {
    pub(super) fn new(entries: impl IntoIterator<Item = (Box<[u8]>, T)>) -> Self {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self { entries }
    }

    /// All of it.
    pub(super) fn whole(&self) -> Range {
        Range { from: 0, to: self.entries.len() as u32, depth: 0 }
    }

    /// What goes on with this byte.
    pub(super) fn narrow(&self, range: Range, byte: u8) -> Option<Range> {
        let at = range.depth as usize;
        narrow(&self.entries, range, byte, |(bytes, _)| bytes.get(at).copied())
    }

    /// Adds the bytes that may come next.
    pub(super) fn next(&self, range: Range, bytes: &mut Bytes) {
        let at = range.depth as usize;
        next(&self.entries, range, bytes, |(bytes, _)| bytes.get(at).copied());
    }

    /// The entries that are written out, each with its number.
    pub(super) fn complete(&self, range: Range) -> impl Iterator<Item = (u32, &T)> {
        // Shorter ones stand before those they begin.
        let is_complete = move |bytes: &[u8]| bytes.len() == range.depth as usize;
        let entries = self.within(range).take_while(move |(_, (bytes, _))| is_complete(bytes));
        entries.map(|(at, (_, then))| (at, then))
    }

    /// The numbers of the entries in a range.
    pub(super) fn within(&self, range: Range) -> impl Iterator<Item = (u32, &(Box<[u8]>, T))> {
        let entries = self.entries.get(range.from as usize..range.to as usize);
        (range.from..).zip(entries.unwrap_or_default())
    }
}

/// The items of a range whose byte after what was written is this one.
pub(super) fn narrow<I>(
    items: &[I],
    range: Range,
    byte: u8,
    after: impl Fn(&I) -> Option<u8>,
) -> Option<Range> {
    let within = items.get(range.from as usize..range.to as usize)?;
    let before = within.partition_point(|item| after(item) < Some(byte)) as u32;
    let through = within.partition_point(|item| after(item) <= Some(byte)) as u32;
    let (from, to) = (range.from + before, range.from + through);
    (from < to).then_some(Range { from, to, depth: range.depth + 1 })
}

/// Adds the bytes that stand after what was written.
pub(super) fn next<I>(
    items: &[I],
    range: Range,
    bytes: &mut Bytes,
    after: impl Fn(&I) -> Option<u8>,
) {
    let Some(mut within) = items.get(range.from as usize..range.to as usize) else { return };
    while let Some(byte) = within.first().map(&after) {
        byte.into_iter().for_each(|byte| bytes.add(byte));
        let skipped = within.partition_point(|item| after(item) <= byte);
        within = within.get(skipped..).unwrap_or_default();
    }
}

/// A set of bytes.
#[derive(Clone, Copy, Default)]
pub(super) struct Bytes([u64; 4]);

impl Bytes {
    /// Every byte.
    pub(super) const ALL: Self = Self([u64::MAX; 4]);

    pub(super) fn add(&mut self, byte: u8) {
        if let Some(word) = self.0.get_mut(usize::from(byte / 64)) {
            *word |= 1 << (byte % 64);
        }
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        self.0.get(usize::from(byte / 64)).is_some_and(|word| word >> (byte % 64) & 1 == 1)
    }
}
