//! [`Array`]: a JSON file that is one long array, an element at a time.

use std::io::{self, BufRead};

use memchr::memchr2;
use serde::Deserialize;

use super::{dating::Moment, entry::Entry};

/// An entry has a few hundred bytes.
const LONGEST: usize = 1 << 20;

/// A JSON file that is one long array, an element at a time.
pub(super) struct Array<R> {
    reader: R,
    /// How many bytes were read.
    offset: u64,
    element: Vec<u8>,
    is_begun: bool,
}

/// An element, and where it begins. Nothing, where it is too long to be an entry.
pub(super) struct Element<'a> {
    pub(super) offset: u64,
    pub(super) bytes: Option<&'a [u8]>,
}

/// What makes the rest of a file unreadable.
#[derive(Debug)]
pub(super) struct Damage {
    pub(super) offset: u64,
    pub(super) reason: String,
}

/// Where in an element the reader is.
#[derive(Default)]
struct Scan {
    depth: u32,
    is_text: bool,
    is_escaped: bool,
}

impl<R: BufRead> Array<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, offset: 0, element: Vec::new(), is_begun: false }
    }

    /// The next element, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<Element<'_>>, Damage> {
        match (self.peek()?, self.is_begun) {
            (Some(b'['), false) => self.skip(1),
            (Some(b']'), true) => return self.finish(),
            (Some(b','), true) => self.skip(1),
            (Some(_), _) => return Err(self.damage("something stands there that is no entry")),
            (None, _) => return Err(self.damage("the file ends there, before its time")),
        }
        let is_empty = self.peek()? == Some(b']') && !self.is_begun;
        self.is_begun = true;
        if is_empty {
            return self.finish();
        }
        let offset = self.offset;
        let is_whole = self.read()?;
        Ok(Some(Element { offset, bytes: is_whole.then_some(&*self.element) }))
    }

    /// Reads what follows the array, as an archive tells only at the end of a file that it is damaged.
    fn finish(&mut self) -> Result<Option<Element<'_>>, Damage> {
        self.skip(1);
        match self.peek()? {
            None => Ok(None),
            Some(_) => Err(self.damage("something follows the end of the list")),
        }
    }

    /// Reads an element; not to be kept where it is too long.
    fn read(&mut self) -> Result<bool, Damage> {
        self.element.clear();
        let (mut scan, mut is_whole) = (Scan::default(), true);
        loop {
            let chunk = filled(&mut self.reader, self.offset)?;
            if chunk.is_empty() {
                return Err(self.damage("the file ends in the middle of an entry"));
            }
            let end = scan.end(chunk);
            let taken = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
            is_whole &= self.element.len() + taken.len() <= LONGEST;
            if is_whole {
                self.element.extend_from_slice(taken);
            }
            let length = taken.len();
            self.skip(length);
            if end.is_some() {
                return Ok(is_whole);
            }
        }
    }

    /// The next byte that is no blank, which is left where it is.
    fn peek(&mut self) -> Result<Option<u8>, Damage> {
        loop {
            let chunk = filled(&mut self.reader, self.offset)?;
            if chunk.is_empty() {
                return Ok(None);
            }
            if let Some(at) = chunk.iter().position(|it| !it.is_ascii_whitespace()) {
                let found = chunk.get(at).copied();
                self.skip(at);
                return Ok(found);
            }
            let length = chunk.len();
            self.skip(length);
        }
    }

    fn skip(&mut self, length: usize) {
        self.reader.consume(length);
        self.offset += length as u64;
    }

    fn damage(&self, reason: &str) -> Damage {
        Damage { offset: self.offset, reason: reason.to_owned() }
    }
}

/// What comes next, read if need be.
pub(super) fn filled(reader: &mut impl BufRead, offset: u64) -> Result<&[u8], Damage> {
    loop {
        match reader.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Damage { offset, reason: error.to_string() }),
        }
    }
    // Asked again, as a borrow cannot leave the loop above; nothing is read by it.
    reader.fill_buf().map_err(|error| Damage { offset, reason: error.to_string() })
}

impl Scan {
    /// Where the element ends in this chunk, if it does.
    fn end(&mut self, chunk: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(byte) = chunk.get(at) {
            if self.is_text {
                at = self.text(chunk, at);
                continue;
            }
            match byte {
                b'{' | b'[' => self.depth += 1,
                // The end of the array, or what follows a bare number.
                b']' | b'}' | b',' if self.depth == 0 => return Some(at),
                b'}' | b']' if self.depth == 1 => return Some(at + 1),
                b'}' | b']' => self.depth -= 1,
                b'"' => self.is_text = true,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Where to go on, after some of a text.
    fn text(&mut self, chunk: &[u8], at: usize) -> usize {
        if self.is_escaped {
            self.is_escaped = false;
            return at + 1;
        }
        let rest = chunk.get(at..).unwrap_or_default();
        let Some(found) = memchr2(b'"', b'\\', rest) else { return chunk.len() };
        self.is_escaped = rest.get(found) == Some(&b'\\');
        self.is_text = self.is_escaped;
        at + found + 1
    }
}

/// An entry as JSON has it. All of it may be missing.
#[derive(Deserialize)]
struct Record {
    header: Option<String>,
    title: Option<String>,
    #[serde(rename = "titleUrl")]
    address: Option<String>,
    subtitles: Option<Vec<Named>>,
    time: Option<String>,
    products: Option<Vec<String>>,
    details: Option<Vec<Named>>,
}

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
    url: Option<String>,
}

/// The entry in an element, or what is wrong with it.
pub(super) fn entry(element: &[u8]) -> Result<Entry, String> {
    let record: Record = serde_json::from_slice(element).map_err(|error| error.to_string())?;
    let Some(header) = record.header else { return Err(String::from("it has no header")) };
    let Some(time) = record.time else { return Err(String::from("it has no time")) };
    let at = time.trim().parse().map_err(|_| format!("its time cannot be read: {time}"))?;
    if record.title.is_none() && record.address.is_none() {
        return Err(String::from("it has no title"));
    }
    let named = record.subtitles.into_iter().flatten().next();
    let details = record.details.into_iter().flatten().filter_map(|it| it.name).collect();
    Ok(Entry {
        header,
        products: record.products.unwrap_or_default(),
        said: record.title.unwrap_or_default(),
        title: None,
        address: record.address,
        channel: named.and_then(|it| Some((it.name?, it.url))),
        details,
        at: Moment::Exact(at),
    })
}
