//! [`prompt_arguments`]: what the user typed behind the name of a server's prompt, as that prompt wants it.

use std::collections::BTreeMap;

use toolwright_core::{PromptArgument, truncate_line};

use super::expansion::words;

/// Why what was typed cannot be given to a prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentsError {
    /// Something is missing.
    #[error("/{usage} needs `{argument}`{}", about(.description))]
    Missing {
        /// How it is called.
        usage: String,
        /// What is missing.
        argument: String,
        /// What that means.
        description: String,
    },
    /// It takes none.
    #[error("/{0} takes no arguments: call it by its name alone")]
    None(String),
}

fn about(description: &str) -> String {
    match description {
        "" => String::new(),
        text => format!(" ({})", truncate_line(text, 200)),
    }
}

/// How a prompt is called: `weather CITY [STATE]`.
pub fn prompt_usage(name: &str, arguments: &[PromptArgument]) -> String {
    arguments.iter().fold(name.to_owned(), |usage, it| {
        let word = truncate_line(&it.name, 40).replace(' ', "_").to_uppercase();
        match it.is_required {
            true => format!("{usage} {word}"),
            false => format!("{usage} [{word}]"),
        }
    })
}

/// What was typed behind the name of a prompt, by the names of its arguments: a word each, in their order; what
/// stands in quotes is one word, and the last takes all that is left. `name=value` says which is meant.
///
/// # Errors
/// Where one is missing that the prompt needs.
pub fn prompt_arguments(
    name: &str,
    declared: &[PromptArgument],
    typed: &str,
) -> Result<BTreeMap<String, String>, ArgumentsError> {
    let mut given = BTreeMap::new();
    let mut plain = Vec::new();
    for word in words(typed) {
        let named = word.split_once('=').filter(|(key, _)| {
            declared.iter().any(|it| it.name == *key) && !given.contains_key(*key)
        });
        match named {
            Some((key, value)) => _ = given.insert(key.to_owned(), value.to_owned()),
            None => plain.push(word),
        }
    }
    let open: Vec<_> = declared.iter().filter(|it| !given.contains_key(&it.name)).collect();
    if open.is_empty() && !plain.is_empty() {
        return Err(ArgumentsError::None(prompt_usage(name, declared)));
    }
    let mut plain = plain.into_iter().peekable();
    for (index, argument) in open.iter().enumerate() {
        let value = match index + 1 == open.len() {
            true => plain.by_ref().collect::<Vec<_>>().join(" "),
            false => plain.next().unwrap_or_default(),
        };
        if !value.is_empty() {
            given.insert(argument.name.clone(), value);
        }
    }
    match declared.iter().find(|it| it.is_required && !given.contains_key(&it.name)) {
        Some(missing) => Err(ArgumentsError::Missing {
            usage: prompt_usage(name, declared),
            argument: truncate_line(&missing.name, 40),
            description: missing.description.clone(),
        }),
        None => Ok(given),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vec<PromptArgument> {
        let argument = |name: &str, is_required| PromptArgument {
            name: name.to_owned(),
            description: format!("the {name}"),
            is_required,
        };
        vec![argument("city", true), argument("state", false)]
    }

    fn given(typed: &str) -> Vec<(String, String)> {
        prompt_arguments("s:weather", &declared(), typed).unwrap().into_iter().collect()
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn words_are_given_in_order_and_the_last_takes_what_is_left() {
        assert_eq!(given("Oslo"), [pair("city", "Oslo")]);
        assert_eq!(given("'New York' NY"), [pair("city", "New York"), pair("state", "NY")]);
        assert_eq!(
            given("Oslo far up north"),
            [pair("city", "Oslo"), pair("state", "far up north")]
        );
        assert_eq!(given("state=NY Oslo"), [pair("city", "Oslo"), pair("state", "NY")]);
        // Only what the prompt declares is a name.
        assert_eq!(given("a=b"), [pair("city", "a=b")]);
    }

    #[test]
    fn what_is_missing_or_too_much_is_told_with_how_it_is_called() {
        let error = prompt_arguments("s:weather", &declared(), " ").unwrap_err();
        assert_eq!(error.to_string(), "/s:weather CITY [STATE] needs `city` (the city)");
        let error = prompt_arguments("s:hello", &[], "you").unwrap_err();
        assert_eq!(error.to_string(), "/s:hello takes no arguments: call it by its name alone");
        assert_eq!(prompt_arguments("s:hello", &[], ""), Ok(BTreeMap::new()));
    }
}
