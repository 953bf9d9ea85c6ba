//! Numbers in English words: `seven`, `twenty-seven`, `one hundred and five`, `two thousand`.

use super::{
    figure::{Figure, Form, Reading, Sign},
    unit::tail,
};

/// The longest word of a number has this many letters.
const MOST: usize = 9;

/// The number in words at the start of `text`, and how long it is written. `one` by itself is none: it
/// stands for anything.
pub(super) fn at(text: &str) -> Option<(Figure, usize)> {
    let (mut total, mut group, mut end, mut last) = (0.0, 0.0, 0, 0.0);
    let mut rest = text;
    while let Some((word, length)) = word(rest) {
        let value = value(word);
        if value.is_none() && end == 0 {
            return None;
        }
        match value {
            Some(by @ (1e3 | 1e6 | 1e9)) if group > 0.0 => {
                total += group * by;
                group = 0.0;
            }
            Some(100.0) if (1.0..100.0).contains(&group) => group *= 100.0,
            Some(more) if more < 100.0 && (end == 0 || fits(last, more)) => group += more,
            _ => break,
        }
        last = value.unwrap_or_default();
        end = text.len() - rest.len() + length;
        rest = after(text.get(end..)?);
    }
    let value: f64 = total + group;
    let unit = tail(text.get(end..)?).unit;
    let reading = Reading { value, step: 1.0 };
    let (form, sign) = (Form::Digits(value.to_string().len()), Sign::Open);
    let figure = Figure { readings: vec![reading], parts: Vec::new(), sign, unit, form };
    (end > 0 && value != 1.0).then_some((figure, end))
}

/// What follows what joins two words of a number.
fn after(rest: &str) -> &str {
    let joined = rest.strip_prefix('-').or_else(|| rest.strip_prefix(" and "));
    joined.or_else(|| rest.strip_prefix(' ')).unwrap_or("")
}

/// Whether a number below a hundred goes on from the last word: `twenty-seven`, `hundred five`.
fn fits(last: f64, more: f64) -> bool {
    last >= 100.0 || ((20.0..100.0).contains(&last) && (1.0..10.0).contains(&more))
}

/// The letters at the start.
fn word(text: &str) -> Option<(&str, usize)> {
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    text.get(..end).filter(|it| (3..=MOST).contains(&it.len())).map(|it| (it, end))
}

fn value(word: &str) -> Option<f64> {
    // Every word of every source comes by: nothing is allocated for it.
    let mut lower = [0; MOST];
    let lower = lower.get_mut(..word.len())?;
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    Some(match &*lower {
        b"zero" => 0.0,
        b"one" => 1.0,
        b"two" => 2.0,
        b"three" => 3.0,
        b"four" => 4.0,
        b"five" => 5.0,
        b"six" => 6.0,
        b"seven" => 7.0,
        b"eight" => 8.0,
        b"nine" => 9.0,
        b"ten" => 10.0,
        b"eleven" => 11.0,
        b"twelve" | b"dozen" => 12.0,
        b"thirteen" => 13.0,
        b"fourteen" => 14.0,
        b"fifteen" => 15.0,
        b"sixteen" => 16.0,
        b"seventeen" => 17.0,
        b"eighteen" => 18.0,
        b"nineteen" => 19.0,
        b"twenty" => 20.0,
        b"thirty" => 30.0,
        b"forty" => 40.0,
        b"fifty" => 50.0,
        b"sixty" => 60.0,
        b"seventy" => 70.0,
        b"eighty" => 80.0,
        b"ninety" => 90.0,
        b"hundred" => 100.0,
        b"thousand" => 1e3,
        b"million" => 1e6,
        b"billion" => 1e9,
        _ => return None,
    })
}
