//! Figures and times, in the words of those who trade in India.
//!
//! What stands here is read by the model and, through its answer, by people: lakh and crore, the
//! rupee's sign, the sign of a change, and times that say that they are India's.

mod amount;
mod change;
mod moment;
mod table;

use toolwright_core::plural;

pub(crate) use self::{
    amount::{Unit, count, decimal, rupees},
    change::Change,
    moment::{day, minute, moment, stamp},
    table::Table,
};

/// `1 holding`, `12 holdings`.
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    let number = number as u64;
    format!("{} {}", count(number), plural(number, one, many))
}

/// A line that begins with a dash, unless there is nothing to say.
pub(crate) fn item(text: &mut String, said: impl AsRef<str>) {
    let said = said.as_ref();
    if !said.is_empty() {
        text.push_str("\n- ");
        text.push_str(said);
    }
}
