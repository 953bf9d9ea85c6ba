//! What is found, in sentences.
//!
//! What stands here is read by the model and, through its answer, by people. Titles and names are what
//! strangers wrote: they are made [`plain`] before they stand in a sentence.

mod list;
mod moment;
mod number;
mod numbers;
mod one;
mod plain;
mod time;

pub use self::number::count;
pub(crate) use self::{
    list::{found, recent},
    moment::{Style, day, when},
    number::joined,
    numbers::{of_channels, statistics},
    one::details,
    plain::{called, name_of, plain, title_of},
};

/// Where a video can be watched.
pub(crate) fn address(id: &str) -> String {
    format!("https://www.youtube.com/watch?v={id}")
}
