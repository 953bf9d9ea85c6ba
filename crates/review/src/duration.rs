//! Lengths of time written in several units, read as one figure: `1 h 45 min`, `1h45m`,
//! `2 hours and 5 minutes`, `PT1H45M`.

use super::{
    figure::{Figure, Form, Reading, Sign},
    unit::{Unit, begins, is_space, named},
};

/// The length of time at the start of `text`, and how long it is written. Only such as have at
/// least two units: one number with one unit is a plain figure.
pub(super) fn at(text: &str) -> Option<(Figure, usize)> {
    let (mut total, mut least, mut parts, mut end) = (0.0, f64::INFINITY, Vec::new(), 0);
    while let Some((value, each, length)) = part(text.get(end..)?) {
        if each >= least {
            break;
        }
        total += value * each;
        least = each;
        parts.push(value);
        end += length;
    }
    let figure = Figure {
        readings: vec![Reading { value: total, step: least }],
        sign: Sign::Open,
        unit: Unit::Seconds(1.0),
        form: Form::Written,
        parts,
    };
    (figure.parts.len() > 1).then_some((figure, end))
}

/// The seconds of a length of time as programs write it: `PT1H45M`, `P1DT2H`.
pub(super) fn iso(word: &str) -> Option<f64> {
    let rest = word.strip_prefix('P')?;
    let plain: String = rest.chars().filter(|c| *c != 'T').collect();
    let (mut total, mut end) = (0.0, 0);
    while let Some((value, each, length)) = part(plain.get(end..)?) {
        total += value * each;
        end += length;
    }
    (end > 0 && end == plain.len()).then_some(total)
}

/// `and`, as it is written.
const JOINTS: &[&str] = &["and", "und", "et", "y", "e", "en", "och", "i", "ve", "и", "और"];

/// One number with its unit, what joins it to the one before included: ` and 5 minutes`.
fn part(text: &str) -> Option<(f64, f64, usize)> {
    let joints = [',', ' ', '\u{a0}', '\u{202f}'];
    let solid = text.trim_start_matches(joints);
    let and = JOINTS.iter().find_map(|it| solid.strip_prefix(it)?.strip_prefix(' '));
    let solid = and.unwrap_or(solid);
    let digits = solid.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
    let value = solid.get(..digits)?.parse().ok()?;
    let after = solid.get(digits..)?.trim_start_matches(is_space);
    if let Some((Unit::Seconds(each), length)) = begins(after) {
        return Some((value, each, text.len() - after.len() + length));
    }
    let letters = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
    let word = after.get(..letters)?;
    let unit = if word.eq_ignore_ascii_case("m") { Some(Unit::Seconds(60.0)) } else { named(word) };
    match unit {
        Some(Unit::Seconds(each)) => Some((value, each, text.len() - after.len() + letters)),
        _ => None,
    }
}
