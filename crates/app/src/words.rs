//! [`in_words`]: what readers of TOML and YAML say, for people who know neither; and [`nearest`], the name
//! that was probably meant.
//!
//! No value is told: it may be a key.

use toolwright_core::truncate_line;

/// What a reader complains of, in plain words.
pub(crate) fn in_words(message: &str) -> String {
    let message = message.lines().next().unwrap_or_default().trim();
    let (what, expected) = match message.rsplit_once(", expected ") {
        Some((what, expected)) => (what, Some(expected)),
        None => (message, message.strip_prefix("expected ")),
    };
    let told = unknown(what, expected)
        .or_else(|| twice(what))
        .or_else(|| mistaken(what, expected))
        .or_else(|| known(what).map(str::to_owned))
        .unwrap_or_else(|| message.to_owned());
    truncate_line(&told, 2_000)
}

/// ``unknown field `x`, expected one of `a`, `b` ``.
fn unknown(what: &str, expected: Option<&str>) -> Option<String> {
    if let Some(field) = what.strip_prefix("missing field ") {
        return Some(format!("{field} is missing"));
    }
    // What stands for a value may be anything; a field is a name.
    let field = what.strip_prefix("unknown field ");
    let is_value = what.starts_with("unknown variant ");
    let named = expected.filter(|_| field.is_some() || is_value)?;
    let named = named.strip_prefix("one of ").unwrap_or(named).replace('`', "");
    let named: Vec<&str> = named.split(", ").flat_map(|it| it.split(" or ")).collect();
    let all = named.join(", ");
    Some(match field {
        Some(field) => unknown_field(field.trim_matches('`'), &named),
        None => format!("unknown value; there are: {all}"),
    })
}

/// What is said of a field that is none of these.
pub(crate) fn unknown_field(field: &str, named: &[&str]) -> String {
    let all = named.join(", ");
    match nearest(field, named.iter().copied()) {
        Some(meant) => {
            format!("unknown field `{field}`; did you mean `{meant}`? There are: {all}")
        }
        None => format!("unknown field `{field}`; there are: {all}"),
    }
}

fn twice(what: &str) -> Option<String> {
    let key = what.strip_prefix("duplicate mapping key")?;
    let key = key.split(", set ").next().unwrap_or_default().trim_start_matches(": ");
    Some(match key {
        "" => "a field is there twice: leave one out".to_owned(),
        key => format!("`{key}` is there twice: leave one out"),
    })
}

/// `invalid type: sequence, expected a string`, `invalid u32`, `expected sequence start`.
fn mistaken(what: &str, expected: Option<&str>) -> Option<String> {
    let found =
        what.strip_prefix("invalid type: ").or_else(|| what.strip_prefix("invalid value: "));
    let wanted = match (found, expected) {
        // However it goes on: the value that was found is not told.
        (Some(_), expected) => wanted(expected.unwrap_or_default())
            .unwrap_or_else(|| expected.unwrap_or("something else")),
        (None, Some(expected)) => wanted(expected)?,
        (None, None) => wanted(what.strip_prefix("invalid ")?)?,
    };
    if wanted == WHOLE
        && let Some(beyond) = what.strip_prefix("invalid value: integer `")
    {
        let is_below = beyond.starts_with('-');
        let which = if is_below { "below 0" } else { "too large" };
        return Some(format!("{WHOLE} is expected here, and this one is {which}"));
    }
    let found = found.and_then(|it| kind(it.split_whitespace().next().unwrap_or_default()));
    Some(match found {
        Some(found) => format!("{wanted} is expected here, and this is {found}"),
        None => format!("{wanted} is expected here"),
    })
}

const WHOLE: &str = "a whole number (0 or more, and not too large)";

fn wanted(expected: &str) -> Option<&'static str> {
    Some(match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" | "i64" | "integer" => WHOLE,
        "f32" | "f64" | "floating point" => "a number",
        "a boolean" | "bool" | "boolean" | "boolean (strict mode expects true/false)" => {
            "`true` or `false`"
        }
        "a string" | "string scalar" | "string" => "a text",
        "a sequence" | "sequence start" => "a list: `[\"a\", \"b\"]`",
        "a map" | "mapping start" => "a set of fields, each with its value,",
        other if other.starts_with("struct ") => "a set of fields, each with its value,",
        _ => return None,
    })
}

fn kind(found: &str) -> Option<&'static str> {
    Some(match found.trim_end_matches(',') {
        "string" => "a text",
        "integer" => "a whole number",
        "floating" => "a number with a point",
        "boolean" => "`true` or `false`",
        "sequence" => "a list",
        "map" => "a set of fields",
        "datetime" => "a date",
        "unit" | "null" => "nothing",
        _ => return None,
    })
}

/// What the reader of YAML says of the text itself.
fn known(what: &str) -> Option<&'static str> {
    let says = |word: &str| what.contains(word);
    Some(match what {
        _ if says("mapping values are not allowed") => {
            "there is a `:` too many: put quotes around a text that has `: ` in it"
        }
        _ if says("multiple YAML documents") => {
            "a line begins with `---` in the middle: what is above and below it are two files"
        }
        _ if says("unknown anchor") => {
            "a `*` begins a word here: put quotes around a text that begins with it"
        }
        _ if says("quoted scalar") => {
            "a text in quotes is not closed, or goes on without indentation"
        }
        _ if says("unexpected end of input") => "the front matter ends in the middle of something",
        _ if says("indentation") || says("block end") => {
            "the lines are not indented alike: fields of one thing begin in the same column"
        }
        _ => return None,
    })
}

/// Asks whether it was the nearest of these, if one is near.
pub(crate) fn meant<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    nearest(name, known).map(|it| format!("; did you mean `{it}`?")).unwrap_or_default()
}

/// The name that was probably meant: one that differs by a slip or two, or of which this is a part.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    let name = name.to_lowercase();
    let length = name.chars().count();
    let slips = 1 + length / 5;
    let near = known.filter_map(|it| {
        let lower = it.to_lowercase();
        let away = strsim::damerau_levenshtein(&lower, &name);
        let is_part = length >= 4 && lower.contains(&name);
        // What has no letter left of the name is no slip.
        (away <= slips && away < length || is_part).then_some((away, it))
    });
    // Of two that are as near, always the same one.
    near.min().map(|(_, it)| it.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{in_words, nearest};

    #[test]
    fn what_readers_say_is_told_in_plain_words() {
        for (said, told) in [
            ("invalid u32", "a whole number (0 or more, and not too large) is expected here"),
            ("expected sequence start", "a list: `[\"a\", \"b\"]` is expected here"),
            ("expected string scalar", "a text is expected here"),
            ("expected mapping start", "a set of fields, each with its value, is expected here"),
            ("invalid floating point", "a number is expected here"),
            (
                "invalid type: sequence, expected a string",
                "a text is expected here, and this is a list",
            ),
            (
                "invalid type: string \"sk-1\", expected u32",
                "a whole number (0 or more, and not too large) is expected here, and this is a text",
            ),
            (
                "invalid value: integer `-1`, expected u32",
                "a whole number (0 or more, and not too large) is expected here, and this one is below 0",
            ),
            (
                "invalid value: integer `4294967296`, expected u32",
                "a whole number (0 or more, and not too large) is expected here, and this one is too large",
            ),
            (
                "duplicate mapping key: description, set DuplicateKeyPolicy in Options if acceptable",
                "`description` is there twice: leave one out",
            ),
            (
                "unknown field `packz`, expected one of title, packs",
                "unknown field `packz`; did you mean `packs`? There are: title, packs",
            ),
            ("unknown field `x`, expected `a` or `b`", "unknown field `x`; there are: a, b"),
            (
                "unknown variant `den`, expected one of `allow`, `deny`",
                "unknown value; there are: allow, deny",
            ),
            ("missing field `tool`", "`tool` is missing"),
            (
                "invalid value: string \"sk-1\", expected soap",
                "soap is expected here, and this is a text",
            ),
            (
                "invalid value: string \"sk-1, expected x\"",
                "x\" is expected here, and this is a text",
            ),
        ] {
            assert_eq!(in_words(said), told, "{said}");
        }
    }

    #[test]
    fn only_what_is_near_is_meant() {
        let tools = ["get_funds", "get_weather", "take_note", "bash", "show", "get_holdings"];
        let of = |name| nearest(name, tools.into_iter());
        for (typed, meant) in [
            ("get_wether", Some("get_weather")),
            ("weather", Some("get_weather")),
            ("bsh", Some("bash")),
            ("shwo", Some("show")),
            ("get_holding", Some("get_holdings")),
            ("gett_*", None),
            ("get_quote", None),
            ("xyzzy", None),
            ("x", None),
        ] {
            assert_eq!(of(typed).as_deref(), meant, "{typed}");
        }
    }
}
