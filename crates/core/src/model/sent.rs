//! [`SentRequest`]: a request as it goes out to a provider, without what is secret.

use std::fmt::Write as _;

/// A request as it goes out to a provider, without what is secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentRequest {
    /// Where it goes.
    pub url: String,
    /// Its headers.
    pub headers: Vec<SentHeader>,
    /// The body, byte for byte: JSON in the provider's own form.
    pub body: String,
}

/// A header of a [`SentRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentHeader {
    /// Its name.
    pub name: String,
    /// Its value, or what of it stands before the secret.
    pub value: String,
    /// The variable that a shell has the secret in, where the value ends with one.
    pub variable: Option<String>,
}

impl SentHeader {
    /// The value, with `$NAME` in the place of the secret.
    pub fn shown(&self) -> String {
        match &self.variable {
            Some(variable) => format!("{}${variable}", self.value),
            None => self.value.clone(),
        }
    }
}

impl SentRequest {
    /// The request as a command for a shell. What is secret it takes from variables.
    pub fn as_curl(&self) -> String {
        // No line of it is this word alone, whatever is in the body.
        let mut end = "END_OF_REQUEST".to_owned();
        while self.body.lines().any(|line| line == end) {
            end.push('_');
        }
        let mut command = format!("curl {} \\\n", quoted(&self.url));
        for header in &self.headers {
            let SentHeader { name, value, variable } = header;
            // Writing to a `String` cannot fail.
            let _ = match variable {
                Some(variable) => {
                    writeln!(
                        command,
                        "  -H {}\"${{{variable}}}\" \\",
                        quoted(&format!("{name}: {value}"))
                    )
                }
                None => writeln!(command, "  -H {} \\", quoted(&format!("{name}: {value}"))),
            };
        }
        let _ = write!(command, "  --data-binary @- <<'{end}'\n{}\n{end}\n", self.body);
        command
    }
}

/// A text that a shell takes as it is.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
