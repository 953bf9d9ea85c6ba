//! [`check_tokens`]: no value that a model chooses becomes an option, or a piece of code.

use serde_json::Value;

use crate::arguments::Token;

/// Programs that carry out text that they are given.
const INTERPRETERS: [&str; 17] = [
    "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "pwsh", "python",
    "perl", "ruby", "node", "php", "lua",
];

/// Programs whose first argument is a program of their own.
const FIRST_IS_CODE: [&str; 6] = ["awk", "gawk", "mawk", "sed", "jq", "eval"];

/// Options that such a text follows.
const CODE: [&str; 9] =
    ["-c", "-e", "-E", "-r", "-p", "--eval", "--print", "--command", "-Command"];

/// Whether every value stays a value.
///
/// # Errors
/// The first token in which one could become something else, and how to write it.
pub(crate) fn check_tokens(
    tokens: &[Token],
    schema: &Value,
    executable: &[String],
) -> Result<(), String> {
    if tokens.first().is_none_or(|it| it.before.is_empty() && it.parameter.is_none()) {
        return Err("`command` names no program".to_owned());
    }
    if tokens.first().is_some_and(|it| it.parameter.is_some()) {
        return Err("the program itself cannot be a parameter".to_owned());
    }
    let mut has_end_of_options = false;
    for (at, token) in tokens.iter().enumerate() {
        let Some(name) = &token.parameter else {
            has_end_of_options |= at > 0 && token.before == "--";
            continue;
        };
        if !executable.contains(name)
            && let Some(program) = code_for(tokens.get(..at).unwrap_or_default(), token)
        {
            return Err(format!(
                "`{{{name}}}` would be a piece of code for {program}: hand it over as an argument of \
                 its own (in a script, \"$1\"), or declare it `executable`"
            ));
        }
        let of = schema.get("properties").and_then(|it| it.get(name)).unwrap_or(&Value::Null);
        if !has_end_of_options && !is_harmless(of) {
            may_be_option(token, name)?;
        }
    }
    Ok(())
}

/// Whether a value could be taken for an option, by where it stands.
fn may_be_option(token: &Token, name: &str) -> Result<(), String> {
    let before = &token.before;
    if before.is_empty() {
        return Err(format!(
            "`{{{name}}}` could become an option: put \"--\" before it, or write `--{name}={{{name}}}`"
        ));
    }
    if before.starts_with('-') && !before.contains('=') {
        return Err(format!(
            "`{before}{{{name}}}` could become other options: write `--{name}={{{name}}}`, or an \
             argument of its own behind \"--\""
        ));
    }
    Ok(())
}

/// Whether no value of this kind begins with `-`, or is more than a number.
fn is_harmless(schema: &Value) -> bool {
    let least = |name: &str| schema.get(name).and_then(Value::as_f64);
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => return true,
        Some("integer" | "number") => {
            return least("minimum").or(least("exclusiveMinimum")).is_some_and(|it| it >= 0.0);
        }
        _ => {}
    }
    let named = schema.get("enum").and_then(Value::as_array);
    named.is_some_and(|all| all.iter().all(|it| it.as_str().is_some_and(|it| !it.starts_with('-'))))
}

/// The program for which a token would be code, if it would.
fn code_for<'t>(before: &'t [Token], token: &Token) -> Option<&'t str> {
    let names = before.iter().filter(|it| it.parameter.is_none());
    let names = names.map(|it| it.before.rsplit('/').next().unwrap_or_default());
    let known = |list: &[&str], name: &str| {
        let plain = name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.');
        list.contains(&plain)
    };
    let last = before.last().map(|it| it.before.as_str()).unwrap_or_default();
    // Behind `--` the code still comes first.
    let last = match (last, before.len()) {
        ("--", 2..) => before.get(before.len() - 2).map(|it| it.before.as_str()).unwrap_or(last),
        _ => last,
    };
    let is_short = last.starts_with('-') && !last.starts_with("--") && last.ends_with('c');
    let is_code = CODE.contains(&last) || is_short;
    let joined = CODE.iter().any(|it| token.before.starts_with(&format!("{it}=")));
    names.clone().find(|it| known(&INTERPRETERS, it)).filter(|_| is_code || joined).or_else(|| {
        let first = names.clone().next_back().filter(|it| known(&FIRST_IS_CODE, it));
        let after = names.clone().rev().nth(1).filter(|it| known(&FIRST_IS_CODE, it));
        let is_option = |it: &&str| {
            before.last().is_some_and(|last| last.before.starts_with('-')) && !it.is_empty()
        };
        first.or_else(|| after.filter(is_option))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(command: &[&str]) -> Result<(), String> {
        let tokens: Vec<_> = command.iter().map(|it| Token::read(it).unwrap()).collect();
        let schema = json!({"properties": {
            "s": {"type": "string"},
            "n": {"type": "integer", "minimum": 0},
            "m": {"type": "integer"},
            "b": {"type": "boolean"},
            "e": {"enum": ["a", "b"]},
            "d": {"enum": ["-a"]},
            "x": {"type": "string"},
        }});
        check_tokens(&tokens, &schema, &["x".to_owned()])
    }

    #[test]
    fn what_stays_a_value_is_taken() {
        for command in [
            &["wc", "-w", "--", "{s}"][..],
            &["x", "--name={s}", "name={s}", "@{s}"],
            &["head", "-n{n}", "{n}", "{b}", "{e}"],
            &["bash", "-c", "echo \"$1\"", "--", "{s}"],
            &["python3", "script.py", "--", "{s}"],
            &["bash", "-c", "--", "{x}"],
            &["jq", ".a", "--", "{s}"],
        ] {
            assert_eq!(check(command), Ok(()), "{command:?}");
        }
    }

    #[test]
    fn what_could_become_an_option_or_code_is_refused() {
        for command in [
            &["wc", "{s}"][..],
            &["wc", "{s}", "--"],
            &["head", "-n{s}"],
            &["head", "-n{m}"],
            &["head", "{m}"],
            &["x", "{d}"],
            &["x", "--{s}"],
            &["{s}"],
            &[],
            &[""],
            &["bash", "-c", "--", "{s}"],
            &["bash", "-c", "echo {s}"],
            &["/bin/bash", "-lc", "echo {s}"],
            &["env", "sh", "-c", "echo {s}"],
            &["python3.11", "-c", "print('{s}')"],
            &["node", "--eval=x({s})"],
            &["awk", "/{s}/"],
            &["awk", "-f", "/{s}/"],
            &["sed", "--", "s/a/{s}/"],
        ] {
            assert!(check(command).is_err(), "{command:?}");
        }
    }
}
