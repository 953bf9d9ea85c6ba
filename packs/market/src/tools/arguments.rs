//! [`Id`], [`Place`] and [`Sort`]: what models write in arguments, as lenient as can be without guessing.

use std::borrow::Cow;

use jiff::civil::{Date, DateTime, Time};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;
use toolwright_core::ToolError;

use crate::{Kind, Segment};

/// The number of an instrument within its segment: a number, or one in quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(pub(crate) u64);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        let number = match &value {
            Value::String(text) => text.trim().parse().ok(),
            // Some models write every number as a fraction.
            Value::Number(number) => number.as_u64().or_else(|| {
                let float = number.as_f64().filter(|it| it.fract() == 0.0)?;
                (0.0..1e15).contains(&float).then_some(float as u64)
            }),
            _ => None,
        };
        number.map(Self).ok_or_else(|| {
            D::Error::custom(format!("{value} is no security id: it is a whole number, such as 13"))
        })
    }
}

impl JsonSchema for Id {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["integer", "string"]})
    }
}

/// Where an instrument is traded, as models write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(pub(crate) Segment);

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let word = String::deserialize(from)?;
        word.parse().map(Self).map_err(D::Error::custom)
    }
}

impl JsonSchema for Place {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Place".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<_> = Segment::ALL.iter().map(|it| it.as_str()).collect();
        json_schema!({"type": "string", "enum": words})
    }
}

/// What an instrument is, as models write it: one kind, or one of the coarser words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Exactly this.
    One(Kind),
    /// Any future.
    Futures,
    /// Any option.
    Options,
}

impl Sort {
    /// The kinds it stands for.
    pub(crate) fn kinds(self) -> Vec<Kind> {
        let all = Kind::ALL.iter().copied();
        match self {
            Self::One(kind) => vec![kind],
            Self::Futures => all.filter(|it| it.is_future()).collect(),
            Self::Options => all.filter(|it| it.is_option()).collect(),
        }
    }
}

impl<'de> Deserialize<'de> for Sort {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match String::deserialize(from)?.as_str() {
            "FUTURES" => Ok(Self::Futures),
            "OPTIONS" => Ok(Self::Options),
            word => word.parse().map(Self::One).map_err(D::Error::custom),
        }
    }
}

impl JsonSchema for Sort {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Sort".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds = Kind::ALL.iter().map(|it| it.as_str());
        let words: Vec<_> = kinds.chain(["FUTURES", "OPTIONS"]).collect();
        json_schema!({"type": "string", "enum": words})
    }
}

/// A day, as models write it; a time behind it does not count.
pub(crate) fn date(parameter: &str, text: &str) -> Result<Date, ToolError> {
    moment(parameter, text, Time::midnight()).map(DateTime::date)
}

/// A moment, as models write it; a day alone stands for this time of it.
pub(crate) fn moment(parameter: &str, text: &str, time: Time) -> Result<DateTime, ToolError> {
    let text = text.trim();
    let read = match text.parse::<Date>() {
        // `2026-11-13 09:15` is read as a day, too, by whoever wants one.
        Ok(date) if text.len() <= 10 => Ok(date.to_datetime(time)),
        _ => text.parse::<DateTime>(),
    };
    read.map_err(|_| {
        ToolError::new(format!(
            "`{text}` for `{parameter}` is no date: write it as YYYY-MM-DD, such as 2026-11-13"
        ))
    })
}
