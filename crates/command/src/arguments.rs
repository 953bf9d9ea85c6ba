//! [`Token`]: one argument of a program, with at most one parameter in it.

use std::ffi::OsString;

use serde_json::Value;

/// The longest argument that the system takes, and how long all may be together.
const LONGEST: usize = (128 << 10) - 1;
const ALL: usize = 1 << 20;

/// One argument of a program: text, with at most one parameter in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) before: String,
    pub(crate) parameter: Option<String>,
    pub(crate) after: String,
}

impl Token {
    /// Reads `--name={value}`. `{{` and `}}` are braces.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut token = Self { before: String::new(), parameter: None, after: String::new() };
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (plain, from) = rest.split_at(at);
            token.push(plain);
            rest = if let Some(rest) = from.strip_prefix("{{") {
                token.push("{");
                rest
            } else if let Some(rest) = from.strip_prefix("}}") {
                token.push("}");
                rest
            } else {
                let named = from.strip_prefix('{').and_then(|it| it.split_once('}'));
                let (name, rest) = named.filter(|(name, _)| is_name(name)).ok_or_else(|| {
                    format!(
                        "{text:?} has a brace that is no parameter: write `{{name}}`, or `{{{{` and \
                         `}}}}` for braces"
                    )
                })?;
                if token.parameter.replace(name.to_owned()).is_some() {
                    return Err(format!(
                        "{text:?} has two parameters in it: one argument takes one"
                    ));
                }
                rest
            };
        }
        token.push(rest);
        Ok(token)
    }

    fn push(&mut self, text: &str) {
        match self.parameter {
            None => self.before.push_str(text),
            Some(_) => self.after.push_str(text),
        }
    }
}

/// Whether a parameter can be called so.
fn is_name(name: &str) -> bool {
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    !name.is_empty() && name.bytes().all(is_letter)
}

/// The arguments of a program, made of these values: what is missing leaves its token out, and a list
/// repeats it.
///
/// # Errors
/// When a value cannot be an argument.
pub(crate) fn filled_in(tokens: &[Token], values: &Value) -> Result<Vec<OsString>, String> {
    let mut made = Vec::new();
    let mut has_end_of_options = false;
    for Token { before, parameter, after } in tokens {
        let Some(name) = parameter else {
            has_end_of_options |= before == "--";
            made.push(before.clone());
            continue;
        };
        let items: &[Value] = match values.get(name) {
            None | Some(Value::Null) => &[],
            Some(Value::Array(items)) => items,
            Some(one) => std::slice::from_ref(one),
        };
        for item in items {
            let argument = format!("{before}{}{after}", text(item));
            check(name, &argument, before.is_empty() && !has_end_of_options)?;
            made.push(argument);
        }
    }
    if made.iter().map(|it| it.len() + 1).sum::<usize>() > ALL {
        return Err("the arguments are longer than 1 MiB together".to_owned());
    }
    Ok(made.into_iter().map(OsString::from).collect())
}

fn check(name: &str, argument: &str, may_be_option: bool) -> Result<(), String> {
    if argument.contains('\0') {
        return Err(format!("{name}: it has a NUL byte in it, which no argument can have"));
    }
    if argument.len() > LONGEST {
        return Err(format!("{name}: it is longer than 128 KiB, which no argument can be"));
    }
    if may_be_option && argument.starts_with('-') {
        return Err(format!("{name}: it begins with `-`, and would be taken for an option"));
    }
    Ok(())
}

/// A value as an argument.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // A model writes 5.0 where it means 5, and a schema takes it.
        Value::Number(number) => match number.as_f64() {
            Some(whole) if !number.is_i64() && !number.is_u64() && whole.fract() == 0.0 => {
                format!("{whole:.0}")
            }
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[allow(clippy::needless_pass_by_value)] // reads better where it is called
    fn made(command: &[&str], values: Value) -> Result<Vec<String>, String> {
        let tokens: Vec<_> = command.iter().map(|it| Token::read(it).unwrap()).collect();
        let made = filled_in(&tokens, &values)?;
        Ok(made.into_iter().map(|it| it.into_string().unwrap()).collect())
    }

    #[test]
    fn a_value_is_one_argument_whatever_is_in_it() {
        let evil = "a b; rm -rf / $(id) `id` \"'\n{x} --y=1";
        let command = ["x", "--name={a}", "--", "{a}", "{{a}}"];
        let all = made(&command, json!({"a": evil})).unwrap();
        assert_eq!(all, ["x", &format!("--name={evil}"), "--", evil, "{a}"]);
    }

    #[test]
    fn what_is_missing_is_left_out_and_lists_repeat() {
        let command = ["x", "--n={n}", "--tag={tags}", "--", "{paths}"];
        let all = made(&command, json!({"tags": ["a", "b"], "paths": [], "n": null})).unwrap();
        assert_eq!(all, ["x", "--tag=a", "--tag=b", "--"]);
        let all = made(&command, json!({"n": 5.0, "paths": ["-p", true]})).unwrap();
        assert_eq!(all, ["x", "--n=5", "--", "-p", "true"]);
    }

    #[test]
    fn what_no_argument_can_be_is_refused() {
        for (value, why) in [
            (json!("a\0b"), "NUL"),
            (json!("x".repeat(1 << 20)), "128 KiB"),
            (json!("-rf"), "option"),
            (json!(["a", "-rf"]), "option"),
        ] {
            let error = made(&["x", "{a}"], json!({"a": value})).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        let many = vec!["x".repeat(100_000); 11];
        assert!(made(&["x", "--", "{a}"], json!({"a": many})).unwrap_err().contains("1 MiB"));
    }

    #[test]
    fn braces_that_are_no_parameter_are_told() {
        for text in ["{", "}", "{}", "{a b}", "{a", "{a}{b}", "x{a}y{b}"] {
            assert!(Token::read(text).is_err(), "{text}");
        }
        let token = Token::read("--{{x}}={a-b_c}}}").unwrap();
        assert_eq!(token.before, "--{x}=");
        assert_eq!((token.parameter.as_deref(), token.after.as_str()), (Some("a-b_c"), "}"));
    }
}
