//! [`all`]: the subjects of a script, with those marked that can do more than they say.

use std::collections::{HashSet, VecDeque};

use toolwright_core::Subject;

use super::{
    Unclear, agree,
    command::Command,
    gather::{self, Part},
    git, limits, looking, programs,
    tree::Script,
    word::{Kind, Word},
    wrappers::{self, Inner},
};

/// The subjects of a script and of every script in it.
pub(super) fn all(script: &str) -> Result<Vec<Subject>, Unclear> {
    let mut verdict = Verdict::default();
    let mut scripts = VecDeque::from([(script.to_owned(), 0)]);
    while let Some((script, depth)) = scripts.pop_front() {
        if depth > limits::SCRIPTS {
            return Err(Unclear("it has scripts within scripts within scripts".to_owned()));
        }
        let script = Script::read(&script)?;
        agree::check(&script)?;
        for part in gather::parts(&script)? {
            let inner = verdict.part(part)?;
            scripts.extend(inner.into_iter().map(|it| (it, depth + 1)));
        }
    }
    verdict.subjects()
}

/// What was found so far.
#[derive(Default)]
struct Verdict {
    found: Vec<Subject>,
    /// The words of each, and whether it is exact.
    seen: HashSet<(String, bool)>,
    /// How long all of it is.
    length: usize,
    /// Whether names may stand for something else than they say.
    is_renamed: bool,
    /// Whether it goes into other folders.
    wanders: bool,
}

impl Verdict {
    /// Takes a part of a script in, and gives back the scripts in it.
    fn part(&mut self, part: Part) -> Result<Vec<String>, Unclear> {
        match part {
            Part::Command(command) => return self.command(command),
            Part::Names => self.is_renamed = true,
            Part::Test(text) => {
                let is_open = text.contains(['$', '`', '*', '?']) || has_word(&text, &["-v", "-R"]);
                self.add(Subject { exact: is_open, read_only: !is_open, ..Subject::new(text) })?;
            }
            Part::Change(text) => {
                self.is_renamed = true;
                self.add(Subject::exact(text))?;
            }
        }
        Ok(Vec::new())
    }

    /// Takes in a command and those it starts.
    fn command(&mut self, command: Command) -> Result<Vec<String>, Unclear> {
        let mut scripts = Vec::new();
        let mut commands = VecDeque::from([(command, 0)]);
        while let Some((command, depth)) = commands.pop_front() {
            if depth > limits::WRAPPERS {
                return Err(Unclear(
                    "it has programs that start programs that start more".to_owned(),
                ));
            }
            for inner in self.judge(command)? {
                match inner {
                    Inner::Script(script) => scripts.push(script),
                    Inner::Unknown => {
                        let told = "it runs a script that is only known when it runs";
                        return Err(Unclear(told.to_owned()));
                    }
                    Inner::Words(words) => {
                        commands.push_back((Command { words, ..Command::default() }, depth + 1));
                    }
                }
            }
        }
        Ok(scripts)
    }

    /// Takes in one command, and gives back what it starts.
    fn judge(&mut self, mut command: Command) -> Result<Vec<Inner>, Unclear> {
        let is_elsewhere = command.words.first_mut().is_some_and(|it| !drop_folder(it));
        if command.words.first().is_some_and(|it| it.is("git")) {
            git::drop_harmless(&mut command.words);
        }
        let (program, arguments) = match command.words.split_first() {
            Some((program, arguments)) if program.kind == Kind::Plain => {
                let name = program.text.rsplit('/').next().unwrap_or_default();
                (name.to_owned(), arguments)
            }
            _ => (String::new(), [].as_slice()),
        };
        let is_open = is_elsewhere
            || program.is_empty()
            || program.contains('=')
            || command.reads_unknown
            || !command.set.is_empty()
            || !command.writes.is_empty()
            || command.words.iter().any(|it| it.kind == Kind::Open)
            || programs::does_more(&program, arguments);
        self.is_renamed |= RENAMES.contains(&&*program);
        // A format that is not understood may set a variable.
        self.is_renamed |= program == "printf" && is_open;
        self.wanders |= matches!(&*program, "cd" | "pushd" | "popd");
        let inner = wrappers::inner(&program, arguments);
        // git reads settings that run programs: beside others it is not known to only look.
        let read_only = !is_open && program != "git" && looking::only_looks(&command.words);
        self.add(Subject { exact: is_open, read_only, ..Subject::new(shown(&command)) })?;
        Ok(inner)
    }

    fn add(&mut self, subject: Subject) -> Result<(), Unclear> {
        self.length += subject.text.len();
        if self.length > limits::TEXT {
            return Err(Unclear("it is nested too deeply to be looked at".to_owned()));
        }
        if self.seen.insert((subject.text.clone(), subject.exact)) {
            self.found.push(subject);
        }
        Ok(())
    }

    /// All of it.
    fn subjects(mut self) -> Result<Vec<Subject>, Unclear> {
        if self.found.is_empty() {
            return Err(Unclear("there is no command in it".to_owned()));
        }
        for subject in &mut self.found {
            // Another folder may have settings of its own that tell git what to run.
            let is_git = subject.text == "git" || subject.text.starts_with("git ");
            subject.exact |= self.is_renamed || (self.wanders && is_git);
            subject.read_only &= !subject.exact;
        }
        Ok(self.found)
    }
}

/// Programs after which a name may stand for something else.
const RENAMES: [&str; 13] = [
    "alias",
    "unalias",
    "hash",
    "enable",
    "shopt",
    "set",
    "eval",
    "source",
    ".",
    "trap",
    "read",
    "mapfile",
    "readarray",
];

/// Drops the folder from a program's name where everybody knows what is in it. Says whether the name
/// is one that is looked up, or was one.
fn drop_folder(program: &mut Word) -> bool {
    const FOLDERS: [&str; 5] = ["/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/"];
    if program.kind != Kind::Plain {
        return false;
    }
    let name = FOLDERS.iter().find_map(|it| program.text.strip_prefix(it));
    match name.filter(|it| !it.is_empty() && !it.contains('/')) {
        Some(name) => {
            program.text = name.to_owned();
            true
        }
        None => !program.text.contains('/'),
    }
}

/// The command in words.
fn shown(command: &Command) -> String {
    let words = command.words.iter().enumerate().map(|(index, word)| {
        // A program's name with `=` in it would look like a variable that is set.
        if index == 0 && word.kind == Kind::Plain && word.text.contains('=') {
            return format!("'{}'", word.text.replace('\'', r"'\''"));
        }
        word.shown()
    });
    let all: Vec<_> =
        command.set.iter().cloned().chain(words).chain(command.writes.iter().cloned()).collect();
    all.join(" ")
}

fn has_word(text: &str, words: &[&str]) -> bool {
    text.split_ascii_whitespace().any(|it| words.contains(&it))
}
