//! [`Seen`]: nothing is replaced that nobody in the conversation has seen.

use serde_json::Value;

use super::{CallCheck, Guard, PreviewCheck, Refusal};
use crate::{conversation::KnownText, escape_invisible, tool::asks_outright_of, truncate_line};

/// Refuses what would replace something unseen: a text in a parameter declared [`seen`](crate::ToolSpec::seen) that
/// stands nowhere in the conversation, and a call that would make a text disappear
/// ([`CallPreview::replaces`](crate::CallPreview::replaces)) of which a line was never shown, or is not as it was
/// shown, unless the user asked for just that in words that the tool declares
/// ([`even_unseen`](crate::ToolSpec::even_unseen)).
///
/// A model that replies only once cannot look first: its texts are not held to that, and the tool tells where they
/// are not to be found.
///
/// What is known is what results returned, what the user said or attached, and what earlier calls wrote. All of it
/// stands in the conversation, so that a process which goes on with a run knows what the one before it knew.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen;

/// How much of a line a refusal repeats.
const SHOWN: usize = 80;

impl Guard for Seen {
    fn name(&self) -> &str {
        "seen"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        // Whoever changed a call by hand knows what they mean; and where there is one reply, nothing can be shown
        // before it.
        let is_free = check.original_arguments.is_some() || check.single_shot;
        if check.spec.seen.is_empty() || is_free {
            return Ok(());
        }
        let known = KnownText::of(check.conversation, check.earlier_in_reply());
        for name in &check.spec.seen {
            let Some(text) = check.arguments.get(name).and_then(Value::as_str) else { continue };
            if let Some(line) = known.first_unknown(text) {
                return Err(Refusal::new(format!(
                    "`{}` in `{name}` was not shown in this conversation, and the user did not say it.",
                    truncate_line(line.trim(), SHOWN)
                ))
                .instead("First look at what is there, then copy the text from what was shown."));
            }
        }
        Ok(())
    }

    fn check_preview(&self, check: &PreviewCheck<'_>) -> Result<(), Refusal> {
        let Some(replaced) = &check.preview.replaces else { return Ok(()) };
        if is_asked_for(check, &replaced.name) {
            return Ok(());
        }
        let known = KnownText::of(check.conversation, &[]);
        let known = known.whole_lines();
        let text = escape_invisible(&replaced.text);
        let unknown = text.lines().enumerate().find(|(_, line)| !known.has(line));
        match unknown {
            None => Ok(()),
            Some((at, line)) => Err(Refusal::new(format!(
                "{} would be replaced, and it was not shown in this conversation as it is now (line {}: `{}`).",
                replaced.name,
                at + 1,
                truncate_line(line.trim(), SHOWN)
            ))
            .instead(&*replaced.advice)),
        }
    }
}

/// Whether the user asked, in words, for what makes this call replace the thing of this name.
fn is_asked_for(check: &PreviewCheck<'_>, name: &str) -> bool {
    let said = check.conversation.request();
    let is_given = |parameter: &str| {
        check
            .arguments
            .get(parameter)
            .is_some_and(|it| !matches!(it, Value::Null | Value::Bool(false)))
    };
    let mut asked = check.spec.even_unseen.iter().filter(|(parameter, _)| is_given(parameter));
    asked.any(|(_, words)| said.iter().any(|said| asks_outright_of(said, words, name)))
}
