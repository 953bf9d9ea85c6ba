//! [`Filter`]: which rows a query lets through.

use jiff::civil::Date;

use super::{
    contract::Exchange,
    search::Query,
    table::{Group, Row},
};

/// Which rows a query lets through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    /// A bit for each segment, and for each kind.
    segments: u16,
    kinds: u16,
    expiry: Option<Date>,
    today: Option<Date>,
}

impl Filter {
    /// What a query says besides its text.
    pub(super) fn of(query: &Query) -> Self {
        let bit = |number: u16| 1_u16 << number;
        let kinds = query.kinds.iter().fold(0, |bits, it| bits | bit(*it as u16));
        Self {
            segments: query.segment.map_or(u16::MAX, |it| bit(it as u16)),
            kinds: if kinds == 0 { u16::MAX } else { kinds },
            expiry: query.expiry,
            today: query.today,
        }
    }

    /// Only what is traded on this exchange.
    pub(super) fn on(self, exchange: Exchange) -> Self {
        Self { segments: self.segments & exchange.segments(), ..self }
    }

    /// Only these kinds, a bit each.
    pub(super) fn only(self, kinds: u16) -> Self {
        Self { kinds: self.kinds & kinds, ..self }
    }

    /// Whether anything at all is held back.
    pub(super) fn is_open(&self) -> bool {
        self.segments == u16::MAX && self.kinds == u16::MAX && self.expiry.is_none()
    }

    /// Whether some row of a group may pass.
    pub(super) fn may_pass(&self, group: &Group) -> bool {
        group.segments & self.segments != 0 && group.kinds & self.kinds != 0
    }

    /// Whether a row passes.
    pub(super) fn passes(&self, row: &Row) -> bool {
        let bits = (1 << row.segment as u16, 1 << row.kind as u16);
        self.segments & bits.0 != 0
            && self.kinds & bits.1 != 0
            && self.expiry.is_none_or(|it| row.expiry == Some(it))
            && self.today.is_none_or(|today| row.expiry.is_none_or(|it| it >= today))
    }
}
