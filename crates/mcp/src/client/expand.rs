//! [`expand`]: texts of settings in which variables of the environment stand.

use std::cell::RefCell;

/// A variable that a text names, and that is not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the variable {0} is not set")]
pub struct UnsetVariable(pub String);

/// The text with `${NAME}`, `${env:NAME}` and `${NAME:-otherwise}` replaced. All else stays as it is: nothing is
/// ever run for its output.
///
/// # Errors
/// When a variable is not set and nothing is said to take its place.
pub fn expand(text: &str, env: &dyn Fn(&str) -> Option<String>) -> Result<String, UnsetVariable> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("${") {
        expanded.push_str(before);
        let Some((inner, behind)) = behind.split_once('}') else {
            expanded.push_str("${");
            rest = behind;
            break;
        };
        rest = behind;
        let (name, otherwise) = match inner.split_once(":-") {
            Some((name, otherwise)) => (name, Some(otherwise)),
            None => (inner, None),
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        if !is_name(name) {
            expanded.push_str("${");
            expanded.push_str(inner);
            expanded.push('}');
            continue;
        }
        match (env(name).filter(|it| !it.is_empty()), otherwise) {
            (Some(value), _) => expanded.push_str(&value),
            (None, Some(otherwise)) => expanded.push_str(otherwise),
            (None, None) => return Err(UnsetVariable(name.to_owned())),
        }
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// The variables that stand in a text.
pub fn variables(text: &str) -> Vec<String> {
    let found = RefCell::new(Vec::new());
    let note = |name: &str| {
        found.borrow_mut().push(name.to_owned());
        Some(name.to_owned())
    };
    // Each of them has a value here: nothing can be missing.
    let _ = expand(text, &note);
    found.into_inner()
}

fn is_name(name: &str) -> bool {
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    !name.is_empty()
        && name.bytes().all(is_letter)
        && !name.starts_with(|it: char| it.is_ascii_digit())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_in_and_nothing_else_is() {
        let env = |name: &str| (name == "A").then(|| "x${B}".to_owned());
        let expand = |text| expand(text, &env);
        // What a variable holds is not looked at again.
        assert_eq!(expand("-${A}-${env:A}-").unwrap(), "-x${B}-x${B}-");
        assert_eq!(expand("${B:-y}${B:-}").unwrap(), "y");
        for plain in ["$A", "$(id)", "`id`", "${", "${A", "${input:key}", "${1}", "$${}"] {
            assert_eq!(expand(plain).unwrap(), plain);
        }
        assert_eq!(variables("${A}${env:B}-${C:-x} $D ${1}"), ["A", "B", "C"]);
        assert_eq!(expand("a ${B}").unwrap_err(), UnsetVariable("B".to_owned()));
    }
}
