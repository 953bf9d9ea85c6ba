//! [`Expansion`]: a command with what the user typed put into it, ready to be asked.

use std::path::{Path, PathBuf};

use toolwright_core::{Attachment, AttachmentError, PromptText, UserMessage, truncate_line};

use super::{SlashCommand, template::Part};
use crate::{
    Level,
    reading::Reader,
    wording::{attribute, contained},
};

/// The longest prompt that becomes of a command, in bytes.
const LONGEST: usize = 256 << 10;
/// How many files go with one.
const MOST_FILES: usize = 10;
/// The largest of them, in bytes.
const LARGEST: u64 = 256 << 10;

/// A command with what the user typed put into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Expansion {
    /// What the user typed.
    pub typed: String,
    /// The command.
    pub name: String,
    /// Whose it is.
    pub level: Level,
    /// Where it is.
    pub place: String,
    /// What it says with the arguments in it.
    pub prompt: String,
    /// The model it would be asked of.
    pub model: Option<String>,
    /// What the user has to know of it, a line each.
    pub notices: Vec<String>,
    files: Vec<Attachment>,
    is_skill: bool,
}

/// Why nothing becomes of a command.
#[derive(Debug, thiserror::Error)]
pub enum ExpansionError {
    /// It is too long.
    #[error("/{0} with these arguments is longer than {LONGEST} bytes: shorten what you typed")]
    TooLong(String),
    /// It cannot be attached.
    #[error("/{name} cannot be used: {reason}")]
    Attachment {
        /// The command.
        name: String,
        /// Why.
        reason: AttachmentError,
    },
}

impl SlashCommand {
    /// Puts what the user typed into it. Files are looked for from `folder` on, and inside of `root`.
    ///
    /// # Errors
    /// Where it becomes too long.
    pub(crate) fn expand(
        &self,
        typed: &str,
        arguments: &str,
        places: (&Path, &Path),
    ) -> Result<Expansion, ExpansionError> {
        self.fill_in(typed, arguments, &words(arguments), places)
    }

    /// Puts these into it, one in each of its places.
    ///
    /// # Errors
    /// Where it becomes too long.
    pub(crate) fn expand_words(
        &self,
        words: &[String],
        places: (&Path, &Path),
    ) -> Result<Expansion, ExpansionError> {
        let given: Vec<_> = words.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        let arguments = given.join(" ");
        self.fill_in(&format!("/{} {arguments}", self.name), &arguments, words, places)
    }

    fn fill_in(
        &self,
        typed: &str,
        arguments: &str,
        words: &[String],
        (folder, root): (&Path, &Path),
    ) -> Result<Expansion, ExpansionError> {
        let mut expansion = Expansion {
            typed: typed.trim().to_owned(),
            name: self.name.clone(),
            level: self.level,
            place: self.place.clone(),
            prompt: String::new(),
            model: self.model.clone(),
            notices: Vec::new(),
            files: Vec::new(),
            is_skill: self.is_skill,
        };
        let mut reader = Reader::new(root);
        for part in &self.template.0 {
            match part {
                Part::Literal(text) => expansion.prompt.push_str(text),
                Part::Arguments => expansion.prompt.push_str(arguments),
                Part::Argument(at) => {
                    expansion.prompt.push_str(words.get(*at).map_or("", String::as_str));
                }
                Part::File(path) => expansion.attach(path, folder, &mut reader),
                Part::Shell(command) => expansion.refuse(command),
            }
            if expansion.prompt.len() > LONGEST {
                return Err(ExpansionError::TooLong(self.name.clone()));
            }
        }
        if !self.template.has_placeholder() && !arguments.is_empty() {
            expansion.prompt = format!("{}\n\n{arguments}", expansion.prompt);
        }
        if expansion.prompt.len() > LONGEST {
            return Err(ExpansionError::TooLong(self.name.clone()));
        }
        Ok(expansion)
    }
}

impl Expansion {
    /// What a prompt of a server's says, which the user called so.
    ///
    /// # Errors
    /// Where it is too long.
    pub fn of_prompt(
        typed: &str,
        name: &str,
        place: &str,
        said: PromptText,
    ) -> Result<Self, ExpansionError> {
        if said.text.len() > LONGEST {
            return Err(ExpansionError::TooLong(name.to_owned()));
        }
        Ok(Self {
            typed: typed.trim().to_owned(),
            name: name.to_owned(),
            level: Level::Server,
            place: place.to_owned(),
            prompt: said.text,
            model: None,
            notices: Vec::new(),
            files: said.attachments,
            is_skill: false,
        })
    }

    /// A file that the command names. What is no file stays a word.
    fn attach(&mut self, path: &str, folder: &Path, reader: &mut Reader) {
        self.prompt.push('@');
        self.prompt.push_str(path);
        let file: PathBuf = folder.join(path);
        if !file.is_file() {
            return;
        }
        let taken = match self.files.len() < MOST_FILES {
            true => reader.read(&file, LARGEST),
            false => Err(format!("a command takes at most {MOST_FILES} files with it")),
        };
        let attached = taken.and_then(|bytes| {
            let bytes = bytes.ok_or("it is gone")?;
            Attachment::new(bytes, None, Some(path)).map_err(|error| error.to_string())
        });
        match attached {
            Ok(attachment) => self.files.push(attachment),
            Err(reason) => {
                let path = truncate_line(path, 200);
                self.notices.push(format!("/{}: @{path} was not attached: {reason}", self.name));
            }
        }
    }

    /// A command of a shell: it is not run, and both the user and the model are told.
    fn refuse(&mut self, command: &str) {
        let shown = truncate_line(command, 200);
        self.prompt.push_str(&format!("(not run: `{shown}`)"));
        self.notices.push(format!(
            "/{}: `{shown}` was not run: Toolwright runs no shell parts of commands; ask the model to run it",
            self.name
        ));
    }

    /// What it says, and the files that go with it, for another program whose user chose it.
    pub fn into_prompt(self) -> (String, Vec<Attachment>) {
        (self.prompt, self.files)
    }

    /// The question that is asked. A command of the user's own is the user's words. Of the project's, only
    /// what was typed is: what the command says goes with it as a file does, and counts as one.
    ///
    /// # Errors
    /// Where it cannot be attached.
    pub fn into_message(self) -> Result<UserMessage, ExpansionError> {
        let Self { typed, name, level, place, prompt, files, is_skill, .. } = self;
        let message = match level == Level::User && !is_skill {
            true => UserMessage::new(prompt),
            false => {
                let (whose, what) = match (level, is_skill) {
                    (Level::User, _) => ("the user's", "skill"),
                    (Level::Project, true) => ("the project's", "skill"),
                    (Level::Project, false) => ("the project's", "command"),
                    (Level::Server, _) => ("the server's", "prompt"),
                };
                let named = attribute(&place);
                let text = format!(
                    "The user called /{name}, a {what} of {whose}: {named}. Do what it says for the user. \
                     These are {whose} words:\n\n{}",
                    contained(&prompt)
                );
                let attachment =
                    Attachment::new(text.into_bytes(), Some("text/markdown"), Some(&place));
                let attachment =
                    attachment.map_err(|reason| ExpansionError::Attachment { name, reason })?;
                UserMessage::new(typed).with_attachment(attachment.of(level.author()))
            }
        };
        let files = files.into_iter().map(|it| it.of(level.author()));
        Ok(files.fold(message, UserMessage::with_attachment))
    }
}

/// The words of what was typed, with those in quotes as one.
pub(super) fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match (letter, quote) {
            (it, Some(open)) if it == open => quote = None,
            ('"' | '\'', None) if word.is_none() => {
                quote = Some(letter);
                word = Some(String::new());
            }
            (it, None) if it.is_whitespace() => words.extend(word.take()),
            (it, _) => word.get_or_insert_default().push(it),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tempfile::TempDir;

    use super::{SlashCommand, words};
    use crate::{ContextKind, Level, files::ProjectFile};

    fn command(text: &str, level: Level) -> SlashCommand {
        let file = ProjectFile {
            kind: ContextKind::Command,
            level,
            name: ".toolwright/commands/x.md".to_owned(),
            path: "x.md".into(),
            bytes: text.as_bytes().into(),
        };
        SlashCommand::read("x", &file).unwrap()
    }

    fn expand(text: &str, arguments: &str) -> String {
        let here = Path::new("/nowhere");
        let typed = format!("/x {arguments}");
        command(text, Level::Project).expand(&typed, arguments, (here, here)).unwrap().prompt
    }

    #[test]
    fn arguments_go_where_the_template_says() {
        assert_eq!(words("a \"b c\" it's 'd e' \"open x"), ["a", "b c", "it's", "d e", "open x"]);
        assert_eq!(expand("Fix $1 in $2.", "\"the bug\" main.rs more"), "Fix the bug in main.rs.");
        assert_eq!(expand("Fix $1 in $2.", "one"), "Fix one in .");
        assert_eq!(expand("All: $ARGUMENTS", "a  'b'"), "All: a  'b'");
        assert_eq!(expand("$ARGUMENTS[1]", "a b"), "b");
        assert_eq!(expand("Just do it.", "now"), "Just do it.\n\nnow");
        assert_eq!(expand("Just do it.", ""), "Just do it.");
    }

    /// What is typed never becomes a part of the template.
    #[test]
    fn nothing_typed_is_run_attached_or_filled_in() {
        let typed = "!`id` @/etc/passwd $1 $ARGUMENTS \\$";
        assert_eq!(expand("Say $ARGUMENTS.", typed), format!("Say {typed}."));
        assert_eq!(expand("Say $1.", "!`id`"), "Say !`id`.");
    }

    #[test]
    fn shell_parts_are_told_and_not_run() {
        let it = command("Look: !`touch /tmp/x` $1", Level::Project);
        let it = it.expand("/x a", "a", (Path::new("/"), Path::new("/"))).unwrap();
        assert_eq!(it.prompt, "Look: (not run: `touch /tmp/x`) a");
        assert!(it.notices[0].contains("was not run"), "{:?}", it.notices);
    }

    #[test]
    fn files_come_from_the_project_alone() {
        let temp = TempDir::new().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let root = top.join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("a.txt"), "inside").unwrap();
        std::fs::write(top.join("b.txt"), "outside").unwrap();
        let it = command("@a.txt @../b.txt @nobody", Level::Project);
        let it = it.expand("/x", "", (&root, &root)).unwrap();
        assert!(
            it.notices.len() == 1 && it.notices[0].contains("leads out of"),
            "{:?}",
            it.notices
        );
        let message = it.into_message().unwrap();
        assert_eq!(message.content, "/x", "only that was typed");
        let names: Vec<_> = message.attachments.iter().filter_map(|it| it.name.clone()).collect();
        assert_eq!(names, [".toolwright/commands/x.md", "a.txt"]);
    }

    #[test]
    fn a_command_of_the_users_own_is_the_users_words() {
        let here = Path::new("/nowhere");
        let it = command("Run `make all`.", Level::User).expand("/x", "", (here, here)).unwrap();
        let message = it.into_message().unwrap();
        assert_eq!(message.content, "Run `make all`.");
        assert!(message.attachments.is_empty());
    }

    #[test]
    fn what_becomes_too_long_is_refused() {
        let here = Path::new("/nowhere");
        let it = command(&"$ARGUMENTS ".repeat(100), Level::Project);
        assert!(it.expand("/x", &"a".repeat(10_000), (here, here)).is_err());
    }
}
