//! [`catalogue`]: a line about each skill, within a budget.

use toolwright_core::truncate_line;

use super::Skill;
use crate::{Level, wording::escaped};

/// The shortest description that still says something, in characters.
const SHORTEST: usize = 40;

/// A line about each skill that a model may load, and what had to be left out, in a sentence. Where there is
/// too much to tell, every description is shortened alike; then the last skills are not told at all.
pub(crate) fn catalogue(skills: &[&Skill], most: usize) -> Option<(String, Option<String>)> {
    let mut listed: Vec<_> = skills.iter().filter(|it| !it.is_for_user_alone).collect();
    if listed.is_empty() {
        return None;
    }
    let longest = listed.iter().map(|it| it.description.chars().count()).max().unwrap_or(0);
    let length = |each: usize, listed: &[&&Skill]| -> usize {
        listed.iter().map(|it| line(it, each).chars().count() + 1).sum()
    };
    // The most letters that fit, by halving: what is longer than them is cut, and what is shorter stays.
    let (mut low, mut high) = (SHORTEST.min(longest), longest);
    while low < high {
        let middle = (low + high).div_ceil(2);
        match length(middle, &listed) <= most {
            true => low = middle,
            false => high = middle - 1,
        }
    }
    let all = listed.len();
    while listed.len() > 1 && length(low, &listed) > most {
        listed.pop();
    }
    let lines: Vec<_> = listed.iter().map(|it| line(it, low)).collect();
    let left_out = all - listed.len();
    let told = match (left_out, low < longest) {
        (0, false) => None,
        (0, true) => Some(format!("descriptions of skills are shortened to {low} characters")),
        (number, _) => Some(format!(
            "descriptions of skills are shortened to {low} characters, and {number} of {all} skills \
             are not listed"
        )),
    };
    Some((lines.join("\n"), told))
}

fn line(skill: &Skill, each: usize) -> String {
    let whose = match skill.level {
        Level::User => " (the user's own)",
        Level::Project | Level::Server => "",
    };
    let description = escaped(&truncate_line(&skill.description, each));
    format!("- {}{whose}: {description}", skill.name)
}
