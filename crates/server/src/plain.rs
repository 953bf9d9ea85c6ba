//! [`plainly`]: what is wrong with a request's values, for whoever sends them: not in the words of the language this is
//! written in.

/// An error of serde's, told in JSON's words. `at` names the field, where that is known.
pub(crate) fn plainly(at: &str, error: &str) -> String {
    // Where it stands is told by the field.
    let error = error.split(" at line ").next().unwrap_or(error);
    let field = if at.is_empty() || at == "." { String::new() } else { format!("`{at}`") };
    if let Some(name) = error.strip_prefix("missing field ") {
        return match field.is_empty() {
            true => format!("{name} is missing"),
            false => format!("{name} is missing in {field}"),
        };
    }
    if let Some(rest) = error.strip_prefix("unknown field ") {
        let rest = rest.replace(", expected ", "; it may have ");
        return format!("{} does not have {rest}", or_body(&field)).replace("one of ", "");
    }
    if let Some(rest) = error.strip_prefix("unknown variant ") {
        let (given, known) = rest.split_once(", expected ").unwrap_or((rest, ""));
        let known = known.trim_start_matches("one of ");
        return format!("{} is {given}, and must be one of {known}", or_body(&field));
    }
    for kind in ["invalid type: ", "invalid value: "] {
        if let Some((given, wanted)) =
            error.strip_prefix(kind).and_then(|it| it.split_once(", expected "))
        {
            return format!(
                "{} must be {}, and is {}",
                or_body(&field),
                wanted_as(wanted),
                given_as(given)
            );
        }
    }
    if error.starts_with("data did not match any variant of untagged enum ") {
        return format!("{} has none of the forms that it may have", or_body(&field));
    }
    if error.starts_with("invalid digit found") || error.contains("cannot parse integer") {
        return format!("{} must be a whole number, not below 0", or_body(&field));
    }
    match field.is_empty() {
        true => error.to_owned(),
        false => format!("{field}: {error}"),
    }
}

fn or_body(field: &str) -> &str {
    if field.is_empty() { "the body" } else { field }
}

/// What was expected, by serde's name for it.
fn wanted_as(wanted: &str) -> String {
    let plain = match wanted {
        "a map" => "an object",
        "a sequence" => "a list",
        "a string" | "a borrowed string" | "str" => "a text",
        "a boolean" | "bool" => "true or false",
        "f32" | "f64" => "a number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, not below 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "unit" | "null" => "null",
        other if ["struct ", "internally tagged enum "].iter().any(|it| other.starts_with(it)) => {
            "an object"
        }
        other if other.contains("enum ") || other == "variant identifier" => {
            "a word that is known here"
        }
        other if other.starts_with("tuple ") || other.starts_with("a tuple ") => "a list",
        other => return other.to_owned(),
    };
    plain.to_owned()
}

/// What came instead, by serde's name for it.
fn given_as(given: &str) -> String {
    for (theirs, plain) in [
        ("map", "an object"),
        ("sequence", "a list"),
        ("null", "null"),
        ("unit value", "null"),
        ("Option value", "null"),
    ] {
        if given == theirs {
            return plain.to_owned();
        }
    }
    let number = given.strip_prefix("integer ").or_else(|| given.strip_prefix("floating point "));
    if let Some(number) = number {
        return format!("the number {number}");
    }
    match given.split_once(' ') {
        Some(("string", text)) => format!("the text {text}"),
        Some(("boolean", value)) => value.to_owned(),
        _ => given.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::plainly;

    #[test]
    fn errors_speak_of_json() {
        for (at, error, plain) in [
            (
                ".",
                "invalid type: null, expected struct Asking at line 1 column 4",
                "the body must be an object, and is null",
            ),
            (
                "after",
                "invalid type: string \"x\", expected struct Point at line 1 column 26",
                "`after` must be an object, and is the text \"x\"",
            ),
            (
                "options.temperature",
                "invalid type: string \"x\", expected f64",
                "`options.temperature` must be a number, and is the text \"x\"",
            ),
            (
                "limit",
                "invalid digit found in string",
                "`limit` must be a whole number, not below 0",
            ),
            (".", "missing field `threadId` at line 1 column 2", "`threadId` is missing"),
            (
                "verdict",
                "unknown variant `ALLOW`, expected one of `allow`, `deny`",
                "`verdict` is `ALLOW`, and must be one of `allow`, `deny`",
            ),
            (
                "messages",
                "invalid type: map, expected a sequence",
                "`messages` must be a list, and is an object",
            ),
            (
                ".",
                "unknown field `mesage`, expected one of `message`, `mode`",
                "the body does not have `mesage`; it may have `message`, `mode`",
            ),
            ("a", "3.5 is no whole number", "`a`: 3.5 is no whole number"),
        ] {
            assert_eq!(plainly(at, error), plain);
        }
    }
}
