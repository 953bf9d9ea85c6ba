//! Values that are checked while they are read, so that a mistake is told with its line, whatever the
//! file: [`time`], [`amount`], [`review`], [`named`], [`names`].

use std::time::Duration;

use serde::{Deserialize, Deserializer, de::Error};
use toolwright_core::ReviewMode;

use super::review::review_mode;

/// A time, as in `1h 30m`.
pub(crate) fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.map(|it| toolwright_duration::parse_nonzero(&it)).transpose().map_err(Error::custom)
}

/// An amount of money: no less than nothing, and some number.
pub(crate) fn amount<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    match Option::<f64>::deserialize(from)? {
        Some(it) if !it.is_finite() || it < 0.0 => {
            Err(Error::custom("an amount of money is expected here: 0 or more"))
        }
        it => Ok(it),
    }
}

/// How strictly answers are held against the results.
pub(crate) fn review<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ReviewMode>, D::Error> {
    let word = Option::<String>::deserialize(from)?;
    let mode = word.map(|it| review_mode(&it)).transpose();
    mode.map_err(|reason| Error::custom(format!("`review`: {reason}")))
}

/// A name, which is not empty.
pub(crate) fn named<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    match Option::<String>::deserialize(from)? {
        Some(name) if name.trim().is_empty() => {
            Err(Error::custom("a name is expected here, and this is empty: leave the line out"))
        }
        name => Ok(name),
    }
}

/// A name, or several in a list; as one text with commas between them.
pub(crate) fn names<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a name is expected here, or a list of names")]
    enum Given {
        One(String),
        Many(Vec<String>),
    }
    let names = match Option::<Given>::deserialize(from)? {
        None => return Ok(None),
        // Empty is what unsets it.
        Some(Given::One(name)) => return Ok(Some(name)),
        Some(Given::Many(names)) => names,
    };
    if names.is_empty() || names.iter().any(|it| it.trim().is_empty() || it.contains(',')) {
        return Err(Error::custom("a list of names is expected here, none of them empty"));
    }
    Ok(Some(names.join(",")))
}
