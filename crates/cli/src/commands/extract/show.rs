//! What was found, for people.

use toolwright_core::truncate_line;

use super::Finding;
use crate::style::{BOLD, DIM, END, NAME, WARN};

/// What was found in a text, part by part.
pub(super) fn finding(finding: &Finding) -> String {
    let found = &finding.found;
    let mut shown = String::new();
    for (what, text) in [("reasoning", &found.reasoning), ("content", &found.content)] {
        if !text.trim().is_empty() {
            shown.push_str(&format!("{DIM}{what}{END}\n{}\n", indented(text.trim())));
        }
    }
    for call in &found.calls {
        let id = call
            .id
            .as_ref()
            .map(|id| format!(" {DIM}{}{END}", truncate_line(id, 200)))
            .unwrap_or_default();
        let mark = if call.repaired { format!(" {WARN}repaired{END}") } else { String::new() };
        shown.push_str(&format!(
            "{NAME}●{END} {BOLD}{}{END}{id}{mark}\n",
            truncate_line(&call.name, 200)
        ));
        shown.push_str(&format!("{}\n", indented(&pretty(&call.arguments))));
    }
    if found.incomplete {
        shown.push_str(&format!("{WARN}✂{END} the text ends inside a call, which would not run\n"));
    }
    let calls = match found.calls.len() {
        0 => "no calls".to_owned(),
        1 => "1 call".to_owned(),
        more => format!("{more} calls"),
    };
    shown.push_str(&format!("{DIM}{calls} · dialect {}{END}\n", finding.found.dialect));
    shown
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {}", line.trim_end())).collect::<Vec<_>>().join("\n")
}

/// JSON with a line for each entry. Written by hand: a value would be limited in depth, and have
/// its keys in another order.
fn pretty(json: &str) -> String {
    let mut shown = String::new();
    let mut depth = 0_usize;
    let mut string = false;
    let mut letters = json.chars().peekable();
    let new_line = |shown: &mut String, depth: usize| {
        shown.push('\n');
        shown.push_str(&"  ".repeat(depth));
    };
    while let Some(letter) = letters.next() {
        match letter {
            '"' => string = !string,
            '\\' if string => {
                shown.push(letter);
                shown.extend(letters.next());
                continue;
            }
            _ if string => {}
            ' ' | '\n' | '\r' | '\t' => continue,
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                if !shown.ends_with(['{', '[']) {
                    new_line(&mut shown, depth);
                }
            }
            _ => {}
        }
        shown.push(letter);
        if string {
            continue;
        }
        match letter {
            '{' | '[' => {
                depth += 1;
                while letters.next_if(char::is_ascii_whitespace).is_some() {}
                if !matches!(letters.peek(), Some('}' | ']')) {
                    new_line(&mut shown, depth);
                }
            }
            ',' => new_line(&mut shown, depth),
            ':' => shown.push(' '),
            _ => {}
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn json_is_spread_over_lines_and_stays_what_it_is() {
        assert_eq!(pretty("{}"), "{}");
        assert_eq!(pretty("{ }"), "{}");
        let json = r#"{"b": [1,2, {}],"a":"x, \"{y}: \\" , "c":{"d":[ ]}}"#;
        let shown = "{\n  \"b\": [\n    1,\n    2,\n    {}\n  ],\n  \"a\": \"x, \\\"{y}: \\\\\",\n  \
                     \"c\": {\n    \"d\": []\n  }\n}";
        assert_eq!(pretty(json), shown);
    }
}
