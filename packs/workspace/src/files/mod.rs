//! What is done with a file: reading a part of it, changing it, putting it in words.

mod change;
mod content;
mod diff;
mod error;
mod hint;
mod notes;
mod picture;
mod put;
mod scan;
mod sound;
mod view;
mod words;
mod work;

pub(crate) use self::{
    change::{Change, Which, appended, replace},
    content::{Content, MOST},
    diff::{Bounds, Spot, unified, whole},
    error::FileError,
    notes::Notes,
    picture::picture,
    put::{Over, put},
    sound::spoiled,
    view::{Span, shown, view},
    words::{count, printable},
    work::{Proposed, propose, run, run_for},
};
