//! [`Field`]: what a GGUF says about its model, and [`Bytes`], which reads it.

use std::io::{self, Read};

/// One thing a GGUF says about its model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Field {
    /// A whole number, or a truth value as 0 and 1.
    Whole(i64),
    /// A fraction.
    Fraction(f64),
    /// A text.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// A list of whole numbers.
    Wholes(Vec<i64>),
    /// Something that no reader here needs.
    Other,
}

/// Reads the pieces that a GGUF's head is made of.
pub(super) struct Bytes<R> {
    from: R,
    /// How many bytes follow: nothing in the file has more parts than that.
    left: u64,
}

impl<R: Read> Bytes<R> {
    /// Of a file of so many bytes.
    pub(super) fn new(from: R, size: u64) -> Self {
        Self { from, left: size }
    }

    /// How many bytes follow.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    pub(super) fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        self.left = self.left.saturating_sub(N as u64);
        Ok(bytes)
    }

    pub(super) fn u32(&mut self) -> io::Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> io::Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// How many of something follow that takes at least a byte each.
    pub(super) fn length(&mut self) -> io::Result<usize> {
        let length = self.u64()?;
        if length > self.left {
            return Err(io::Error::other("a length in it goes beyond its end"));
        }
        usize::try_from(length).map_err(io::Error::other)
    }

    /// A number of a tensor's rows or columns; of how many bytes each is not known yet.
    pub(super) fn dimension(&mut self) -> io::Result<usize> {
        usize::try_from(self.u64()?).map_err(io::Error::other)
    }

    pub(super) fn text(&mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        let length = self.length()?;
        (&mut self.from).take(length as u64).read_to_end(&mut bytes)?;
        self.left = self.left.saturating_sub(bytes.len() as u64);
        if bytes.len() != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A field of a kind that stands before it.
    pub(super) fn field(&mut self) -> io::Result<Field> {
        match self.u32()? {
            9 => self.list(),
            kind => self.value(kind),
        }
    }

    fn value(&mut self, kind: u32) -> io::Result<Field> {
        Ok(match kind {
            0 | 7 => Field::Whole(self.array().map(|[byte]: [u8; 1]| byte.into())?),
            1 => Field::Whole(self.array().map(i8::from_le_bytes)?.into()),
            2 => Field::Whole(self.array().map(u16::from_le_bytes)?.into()),
            3 => Field::Whole(self.array().map(i16::from_le_bytes)?.into()),
            4 => Field::Whole(self.u32()?.into()),
            5 => Field::Whole(self.array().map(i32::from_le_bytes)?.into()),
            6 => Field::Fraction(self.array().map(f32::from_le_bytes)?.into()),
            8 => Field::Text(self.text()?),
            10 | 11 => Field::Whole(self.array().map(i64::from_le_bytes)?),
            12 => Field::Fraction(self.array().map(f64::from_le_bytes)?),
            _ => return Err(io::Error::other(format!("a field has the unknown kind {kind}"))),
        })
    }

    fn list(&mut self) -> io::Result<Field> {
        let kind = self.u32()?;
        let length = self.length()?;
        let (mut texts, mut wholes) = (Vec::new(), Vec::new());
        for _ in 0..length {
            match self.value(kind)? {
                Field::Text(text) => texts.push(text),
                Field::Whole(whole) => wholes.push(whole),
                _ => {}
            }
        }
        Ok(match kind {
            8 => Field::Texts(texts),
            6 | 12 => Field::Other,
            _ => Field::Wholes(wholes),
        })
    }
}
