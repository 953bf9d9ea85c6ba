//! What a template may be made of: names, comparisons, `for`, `if` and a few filters.
//!
//! Whoever serves a task may not have written it, and a prompt needs no more. Whatever could make a value
//! larger than what it was given (arithmetic on texts and lists, blocks kept in a variable, most filters) is
//! left out; so all that grows is the prompt itself, which is bounded where it is written.

use std::io;

use minijinja::{
    Environment, Error, ErrorKind, UndefinedBehavior, Value, filters,
    machinery::{Token, tokenize},
    syntax::SyntaxConfig,
};

use super::file::Mistake;

/// What may stand behind `{%`.
const STATEMENTS: [&str; 6] = ["for", "endfor", "if", "elif", "else", "endif"];
/// What may stand behind `|`.
const FILTERS: [&str; 8] = ["default", "first", "join", "last", "length", "lower", "trim", "upper"];
/// More steps than any honest prompt needs: what loops without end is stopped.
const FUEL: u64 = 100_000;
/// The longest text that may stand inside a tag, in bytes.
const LONGEST_TEXT: usize = 1_000;
/// The longest prompt, in bytes.
pub(super) const LONGEST_PROMPT: usize = 1 << 20;

/// What fills templates in.
pub(super) fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.add_filter("default", filters::default);
    environment.add_filter("first", filters::first);
    environment.add_filter("join", join);
    environment.add_filter("last", filters::last);
    environment.add_filter("length", filters::length);
    environment.add_filter("lower", filters::lower);
    environment.add_filter("trim", filters::trim);
    environment.add_filter("upper", filters::upper);
    environment
}

/// The values in a row, as far as a prompt has room for them.
fn join(values: &Value, separator: Option<String>) -> Result<String, Error> {
    let separator = separator.unwrap_or_default();
    let mut joined = String::new();
    for (number, value) in values.try_iter()?.enumerate() {
        if number > 0 {
            joined.push_str(&separator);
        }
        joined.push_str(&value.to_string());
        if joined.len() > LONGEST_PROMPT {
            return Err(Error::new(ErrorKind::InvalidOperation, too_long().to_string()));
        }
    }
    Ok(joined)
}

/// Whether a template is made of what it may be made of.
pub(super) fn check(template: &str) -> Result<(), Mistake> {
    let mut is_statement = false;
    let mut is_filter = false;
    for token in tokenize(template, false, SyntaxConfig::default()) {
        let (token, span) = token.map_err(|error| super::template::mistake(&error))?;
        let refused = |reason: String| {
            Err(Mistake { line: span.start_line as usize, reason: format!("the prompt: {reason}") })
        };
        match &token {
            Token::Ident(name) if is_statement && !STATEMENTS.contains(name) => {
                let known = STATEMENTS.join(", ");
                return refused(format!("there is no `{{% {name} %}}`; there are: {known}"));
            }
            Token::Ident(name) if is_filter && !FILTERS.contains(name) => {
                return refused(format!(
                    "there is no filter `{name}`; there are: {}",
                    FILTERS.join(", ")
                ));
            }
            Token::Ident("recursive") => return refused("a loop cannot be recursive".to_owned()),
            Token::Str(text) if text.len() > LONGEST_TEXT => return refused(long_text()),
            Token::String(text) if text.len() > LONGEST_TEXT => return refused(long_text()),
            token if !is_allowed(token) => {
                return refused(format!(
                    "{token} cannot stand here; there are names, comparisons, `for`, `if` and filters"
                ));
            }
            _ => {}
        }
        is_statement = matches!(token, Token::BlockStart);
        is_filter = matches!(token, Token::Pipe);
    }
    Ok(())
}

fn long_text() -> String {
    format!("a text inside of a tag has at most {LONGEST_TEXT} characters")
}

fn is_allowed(token: &Token<'_>) -> bool {
    matches!(
        token,
        Token::TemplateData(_)
            | Token::VariableStart
            | Token::VariableEnd
            | Token::BlockStart
            | Token::BlockEnd
            | Token::Ident(_)
            | Token::Str(_)
            | Token::String(_)
            | Token::Int(_)
            | Token::Dot
            | Token::Comma
            | Token::Pipe
            | Token::Eq
            | Token::Ne
            | Token::Gt
            | Token::Gte
            | Token::Lt
            | Token::Lte
            | Token::BracketOpen
            | Token::BracketClose
            | Token::ParenOpen
            | Token::ParenClose
    )
}

/// A prompt that is written, as far as there is room for it.
#[derive(Default)]
pub(super) struct BoundedPrompt(pub(super) Vec<u8>);

impl io::Write for BoundedPrompt {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LONGEST_PROMPT {
            return Err(too_long());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn too_long() -> io::Error {
    let message = format!("it becomes longer than {} MiB", LONGEST_PROMPT >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str) -> Result<String, String> {
        check(template).map_err(|it| it.reason)?;
        let mut prompt = BoundedPrompt::default();
        let tools: Vec<_> = ["get_weather", "take_note"].map(Value::from).into();
        let values = Value::from_pairs([
            ("tools", Value::from(tools)),
            ("instructions", Value::from("Be brief. ".repeat(500))),
        ]);
        environment()
            .template_from_str(template)
            .and_then(|it| it.render_captured_to(values, &mut prompt).map(drop))
            .map_err(|error| super::super::template::mistake(&error).reason)?;
        Ok(String::from_utf8(prompt.0).unwrap())
    }

    #[test]
    fn a_prompt_can_be_made_of_what_a_prompt_needs() {
        let template = "{% for tool in tools %}{% if not loop.last %}- {{ tool|upper }}, {% else %}\
                        {{ tools[1] }} of {{ tools|length }}{% endif %}{% endfor %} {{ tools|join(\"; \") }}";
        assert_eq!(
            filled(template).unwrap(),
            "- GET_WEATHER, take_note of 2 get_weather; take_note"
        );
    }

    /// Each of these would take all the memory or all the time there is.
    #[test]
    fn nothing_in_a_template_grows_without_bounds() {
        let doubled = (0..40)
            .fold("{% set a = instructions %}".to_owned(), |it, _| it + "{% set a = a ~ a %}");
        let loops = |inner: &str| {
            let open = "{% for a in instructions %}".repeat(6);
            format!("{open}{inner}{}", "{% endfor %}".repeat(6))
        };
        let bombs = [
            r#"{{ "%99999999999d"|format(1) }}"#.to_owned(),
            r#"{{ ("x"*900000)|list|map("upper")|join("x"*100000) }}"#.to_owned(),
            r#"{{ ("x"*900000)|replace("x","x"*900000)|length }}"#.to_owned(),
            r#"{{ [1,2,3]|batch(1000000000,"xx")|list }}"#.to_owned(),
            r#"{{ [["x"*1000000]*1000]*1000 }}"#.to_owned(),
            r#"{{ "a\nb"|indent(1000000000) }}"#.to_owned(),
            "{{ range(1000000000) }}".to_owned(),
            "{{ 10 ** 1000000 }}".to_owned(),
            "{{ {\"a\": instructions} }}".to_owned(),
            "{% set x %}{{ instructions }}{% endset %}".to_owned(),
            "{% filter upper %}{{ instructions }}{% endfilter %}".to_owned(),
            "{% with a = instructions %}{% endwith %}".to_owned(),
            "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}".to_owned(),
            "{% for a in tools recursive %}{{ loop(tools) }}{{ loop(tools) }}{% endfor %}"
                .to_owned(),
            r#"{% include "/etc/passwd" %}"#.to_owned(),
            format!("{{{{ instructions|join(\"{}\") }}}}", "x".repeat(LONGEST_TEXT)),
            format!("{{{{ \"{}\"|upper }}}}", "x".repeat(LONGEST_TEXT + 1)),
            loops("{{ instructions }}"),
            loops(&"x".repeat(100_000)),
            loops(""),
            doubled,
        ];
        for bomb in bombs {
            let told = filled(&bomb);
            assert!(told.is_err(), "{} was filled in", bomb.get(..60).unwrap_or(&bomb));
        }
    }

    #[test]
    fn what_cannot_stand_in_a_template_is_told_with_its_line() {
        let Err(mistake) = check("one\n{{ tools * 3 }}") else { panic!("a product of tools") };
        assert_eq!(mistake.line, 2);
        assert!(mistake.reason.contains("`*` cannot stand here"), "{}", mistake.reason);
    }
}
