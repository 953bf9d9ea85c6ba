//! [`CommandParameter`]: what a command takes, by name: for programs that ask for one thing after the other.

use super::{SlashCommand, template::Part};

/// The most that a command takes by name.
const MOST: usize = 9;

/// Something that a command takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandParameter {
    /// What it is called.
    pub name: String,
    /// Whether it must be there.
    pub is_required: bool,
}

impl SlashCommand {
    /// What it takes, in order. The words of its `argument-hint` are their names, and those in brackets may be
    /// missing; where it has no hint, its places for arguments have names of ours, and any may be.
    pub fn parameters(&self) -> Vec<CommandParameter> {
        let hint = self.argument_hint.as_deref().unwrap_or_default();
        let mut parameters: Vec<CommandParameter> = Vec::new();
        for word in hint.split_whitespace().take(MOST) {
            let name = word.trim_matches(|it: char| !it.is_alphanumeric());
            if !name.is_empty() && parameters.iter().all(|it| it.name != name) {
                let is_required = !word.contains(['[', ']']) && !word.ends_with("...");
                parameters.push(CommandParameter { name: name.to_owned(), is_required });
            }
        }
        let places = self.template.0.iter().filter_map(|it| match it {
            Part::Argument(at) => Some(at + 1),
            Part::Arguments => Some(1),
            _ => None,
        });
        let places = places.max().unwrap_or_default().min(MOST);
        for at in parameters.len()..places {
            let name = format!("argument{}", at + 1);
            parameters.push(CommandParameter { name, is_required: false });
        }
        parameters
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::{ContextKind, Level, SlashCommand, files::ProjectFile};

    fn parameters(text: &str) -> Vec<(String, bool)> {
        let file = ProjectFile {
            kind: ContextKind::Command,
            level: Level::User,
            name: "c.md".to_owned(),
            path: "c.md".into(),
            bytes: text.as_bytes().into(),
        };
        let command = SlashCommand::read("c", &file).unwrap();
        command.parameters().into_iter().map(|it| (it.name, it.is_required)).collect()
    }

    #[test]
    fn the_hint_names_what_a_command_takes() {
        let of = |hint: &str, body: &str| {
            parameters(&format!("---\nargument-hint: {hint:?}\n---\n{body}"))
        };
        let named = |all: &[(&str, bool)]| -> Vec<_> {
            all.iter().map(|(name, required)| ((*name).to_owned(), *required)).collect()
        };
        assert_eq!(of("FILE [why]", "$1 for $2"), named(&[("FILE", true), ("why", false)]));
        assert_eq!(of("<a> <a> <b>", "$1"), named(&[("a", true), ("b", true)]));
        assert_eq!(
            of("one", "$1 $3"),
            named(&[("one", true), ("argument2", false), ("argument3", false)])
        );
        assert_eq!(of("[words...]", "$ARGUMENTS"), named(&[("words", false)]));
        assert_eq!(of("it", "No place for it."), named(&[("it", true)]));
        assert_eq!(parameters("Look at $1."), named(&[("argument1", false)]));
        assert_eq!(parameters("Look."), []);
        assert_eq!(parameters("$ARGUMENTS[200]").len(), 9);
    }
}
