//! What is written freely: characters, the inside of a composed string, dates and numbers.

/// How much of a character was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Char {
    /// How many bytes are still to come.
    pub(super) missing: u8,
    /// Between which the next of them is.
    next: (u8, u8),
}

impl Char {
    /// The character with one more byte, where that is UTF-8.
    pub(super) fn push(self, byte: u8) -> Option<Self> {
        if self.missing > 0 {
            let (from, to) = self.next;
            let more = Self { missing: self.missing - 1, next: (0x80, 0xBF) };
            return (from..=to).contains(&byte).then_some(more);
        }
        let (missing, next) = match byte {
            0x00..=0x7F => (0, (0, 0)),
            0xC2..=0xDF => (1, (0x80, 0xBF)),
            0xE0 => (2, (0xA0, 0xBF)),
            0xED => (2, (0x80, 0x9F)),
            0xE1..=0xEF => (2, (0x80, 0xBF)),
            0xF0 => (3, (0x90, 0xBF)),
            0xF1..=0xF3 => (3, (0x80, 0xBF)),
            0xF4 => (3, (0x80, 0x8F)),
            _ => return None,
        };
        Some(Self { missing, next })
    }

    pub(super) fn is_whole(self) -> bool {
        self.missing == 0
    }
}

/// The inside of a composed string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Text {
    pub(super) char: Char,
    pub(super) is_escape: bool,
    /// How many characters it must still have.
    pub(super) least: u32,
    /// How many characters it may still have.
    pub(super) most: u32,
}

impl Text {
    pub(super) fn can_end(self) -> bool {
        self.char.is_whole() && !self.is_escape && self.least == 0
    }

    /// The text with one more byte; the quote that ends it is not one.
    pub(super) fn push(self, byte: u8) -> Option<Self> {
        if self.is_escape {
            let is_known = matches!(byte, b'"' | b'\\' | b'n' | b't' | b'r' | b'b' | b'f');
            return is_known.then_some(Self { is_escape: false, ..self });
        }
        let char = self.char.push(byte)?;
        if !self.char.is_whole() {
            return Some(Self { char, ..self });
        }
        let is_escape = byte == b'\\';
        let is_allowed = byte >= b' ' && byte != b'"' && self.most > 0;
        let (least, most) = (self.least.saturating_sub(1), self.most.saturating_sub(1));
        is_allowed.then_some(Self { char, is_escape, least, most })
    }
}

/// What is written behind a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// Nothing.
    Day,
    /// ` HH:MM`, or nothing.
    Minutes,
    /// `THH:MM:SSZ`.
    Instant,
}

impl Clock {
    /// How many characters that has, with the day.
    pub(super) fn lengths(self) -> &'static [u32] {
        match self {
            Self::Day => &[10],
            Self::Minutes => &[10, 16],
            Self::Instant => &[20],
        }
    }
}

/// A date that is being written, in digits and what separates them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Date {
    /// How many bytes were written.
    length: u8,
    /// The digits among them, as one number.
    digits: u64,
}

impl Date {
    /// Whether it is complete, as a day or with the time.
    pub(super) fn can_end(self, clock: Clock) -> bool {
        clock.lengths().contains(&u32::from(self.length))
    }

    /// The date with one more byte, where one begins so. Years are those of people alive.
    pub(super) fn push(self, byte: u8, clock: Clock) -> Option<Self> {
        let length = self.length + 1;
        let separator = match self.length {
            4 | 7 => Some(b'-'),
            10 if clock == Clock::Minutes => Some(b' '),
            10 if clock == Clock::Instant => Some(b'T'),
            13 => Some(b':'),
            16 if clock == Clock::Instant => Some(b':'),
            19 => Some(b'Z'),
            _ => None,
        };
        if let Some(separator) = separator {
            return (byte == separator).then_some(Self { length, ..self });
        }
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        let last = self.digits % 10;
        let is_allowed = match self.length {
            0 => matches!(digit, 1 | 2),
            1 => digit == if last == 1 { 9 } else { 0 },
            2 | 3 => true,
            5 => digit <= 1,
            6 => {
                if last == 0 {
                    digit >= 1
                } else {
                    digit <= 2
                }
            }
            8 => digit * 10 <= self.days(),
            9 => (1..=self.days()).contains(&(last * 10 + digit)),
            11 => digit <= 2,
            12 => last * 10 + digit <= 23,
            14 | 17 => digit <= 5,
            15 | 18 => true,
            _ => false,
        };
        is_allowed.then_some(Self { length, digits: self.digits * 10 + digit })
    }

    /// How many days the month has, once it is written.
    fn days(self) -> u64 {
        // `YYYYMM`, or `YYYYMMD`.
        let month = if self.length == 9 { self.digits / 10 } else { self.digits };
        let (year, month) = (month / 100, month % 100);
        match month {
            2 if year.is_multiple_of(4)
                && (!year.is_multiple_of(100) || year.is_multiple_of(400)) =>
            {
                29
            }
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

/// How many digits a number has before its point, and how many behind it.
const DIGITS: u8 = 15;
const PLACES: u8 = 9;

/// A number that is being written, as JSON has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Amount {
    Minus,
    /// A zero, behind which no digit may stand.
    Zero,
    Digits(u8),
    Point,
    Places(u8),
}

impl Amount {
    /// The number that begins with this byte.
    pub(super) fn begin(byte: u8) -> Option<Self> {
        match byte {
            b'-' => Some(Self::Minus),
            b'0' => Some(Self::Zero),
            b'1'..=b'9' => Some(Self::Digits(1)),
            _ => None,
        }
    }

    pub(super) fn can_end(self) -> bool {
        matches!(self, Self::Zero | Self::Digits(_) | Self::Places(_))
    }

    /// The number with one more byte.
    pub(super) fn push(self, byte: u8, is_whole: bool) -> Option<Self> {
        match (self, byte) {
            (Self::Minus, b'0'..=b'9') => Self::begin(byte),
            (Self::Digits(digits), b'0'..=b'9') if digits < DIGITS => {
                Some(Self::Digits(digits + 1))
            }
            (Self::Zero | Self::Digits(_), b'.') if !is_whole => Some(Self::Point),
            (Self::Point, b'0'..=b'9') => Some(Self::Places(1)),
            (Self::Places(places), b'0'..=b'9') if places < PLACES => {
                Some(Self::Places(places + 1))
            }
            _ => None,
        }
    }
}
