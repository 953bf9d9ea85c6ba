//! [`page`]: what a browser shows that nobody let in: why, and what its user can do.

use http::{StatusCode, request::Parts};

use super::{Gate, head::launch_token};
use crate::{ApiError, AuthMode};

/// What the page is.
pub(super) const KIND: &str = "text/html; charset=utf-8";

/// A small page, without anything that would have to be fetched.
pub(super) fn page(gate: &Gate, head: &Parts, refused: &ApiError) -> String {
    let (title, text) = match refused.status() {
        StatusCode::UNAUTHORIZED if launch_token(head).is_some() => {
            let over =
                "<p>It was used already, is older than ten minutes, or was not copied whole.</p>";
            ("This link lets nobody in", format!("{over}{}", way_in(gate)))
        }
        StatusCode::UNAUTHORIZED => ("This browser is not known here", way_in(gate)),
        _ => ("This is not shown to you", reason(refused)),
    };
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Toolwright</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><h1>{title}</h1>{text}"
    )
}

/// How a browser becomes known.
fn way_in(gate: &Gate) -> String {
    let how = match gate.auth {
        AuthMode::Local => {
            "<code>toolwright serve</code> prints one when it starts. For a new one, run this in a terminal on the \
             same machine, and open the address that it answers with:"
        }
        AuthMode::Token => {
            "Ask whoever runs this server for one. Who has the server's token makes it so, and opens the address that \
             it answers with:"
        }
    };
    let command = escaped(&gate.link_command("$TOOLWRIGHT_TOKEN"));
    format!(
        "<p>A link lets one browser in, once, within ten minutes. {how}</p><pre>{command}</pre>"
    )
}

/// Why it is not, and what to do about it.
fn reason(refused: &ApiError) -> String {
    let advice = refused.advice().map(|it| format!("<p>{}</p>", escaped(it)));
    format!("<p>{}</p>{}", escaped(refused.message()), advice.unwrap_or_default())
}

/// With nothing in it that a browser would not show as it stands.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}
