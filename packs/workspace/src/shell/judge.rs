//! [`all`]: the subjects of a script, with those marked that can do more than they say.

use std::collections::{HashSet, VecDeque};

use toolwright_core::{OpaqueCommand, RuleTarget};

use super::{
    Unclear, agree,
    command::Command,
    gather::{self, Part},
    git, limits, looking, programs,
    tree::Script,
    unseen::{carries_out, is_own, misleads},
    word::{Kind, Word},
    wrappers::{self, Inner},
};

/// The subjects of a script and of every script in it.
pub(super) fn all(script: &str) -> Result<Vec<RuleTarget>, Unclear> {
    read(script)?.subjects()
}

/// The commands that carry out text from a file or from another command, in words; all of the script
/// where nobody can tell.
pub(super) fn unseen(script: &str) -> Vec<OpaqueCommand> {
    match read(script) {
        Ok(verdict) => verdict.unseen(script),
        Err(unclear) => vec![OpaqueCommand::Unclear { part: script.to_owned(), reason: unclear.0 }],
    }
}

fn read(script: &str) -> Result<Verdict, Unclear> {
    let mut verdict = Verdict::default();
    let mut scripts = VecDeque::from([(Inside { script: script.to_owned(), is_fed: false }, 0)]);
    while let Some((Inside { script, is_fed }, depth)) = scripts.pop_front() {
        if depth > limits::SCRIPTS {
            return Err(Unclear("it has scripts within scripts within scripts".to_owned()));
        }
        let script = Script::read(&script)?;
        agree::check(&script)?;
        for mut part in gather::parts(&script)? {
            if let Part::Command(command) = &mut part {
                command.is_fed |= is_fed;
            }
            let inner = verdict.part(part)?;
            scripts.extend(inner.into_iter().map(|it| (it, depth + 1)));
        }
    }
    Ok(verdict)
}

/// A script in a script.
struct Inside {
    script: String,
    /// Whether what starts it is given something to read: then its commands are.
    is_fed: bool,
}

/// What carries out text which is not in the script.
enum Carries {
    /// This command.
    Alone(String),
    /// One that says nothing without what feeds it.
    Fed,
}

/// What was found so far.
#[derive(Default)]
struct Verdict {
    found: Vec<RuleTarget>,
    /// The words of each, and whether it is exact.
    seen: HashSet<(String, bool)>,
    /// How long all of it is.
    length: usize,
    /// Whether names may stand for something else than they say.
    is_renamed: bool,
    /// Whether it goes into other folders.
    wanders: bool,
    /// Whether a name of a program may stand for one that carries out what it is fed.
    is_another: bool,
    /// Whether anything is fed.
    feeds: bool,
    /// The commands that carry out text which is not in the script.
    carries: Vec<Carries>,
}

impl Verdict {
    /// Takes a part of a script in, and gives back the scripts in it.
    fn part(&mut self, part: Part) -> Result<Vec<Inside>, Unclear> {
        match part {
            Part::Command(command) => return self.command(command),
            Part::Names => {
                self.is_renamed = true;
                self.is_another = true;
            }
            Part::Calculates(text) => self.carries.push(Carries::Alone(text)),
            Part::Test(text) => {
                // The name of a variable may be a place in a list, which is calculated.
                let calculates = has_word(&text, &["-v", "-R"]);
                let is_open = text.contains(['$', '`', '*', '?']) || calculates;
                if calculates && text.contains(['$', '`']) {
                    self.carries.push(Carries::Alone(text.clone()));
                }
                let certain = is_open.then_some(usize::from(!calculates));
                let read_only = !is_open;
                self.add(RuleTarget {
                    exact: is_open,
                    read_only,
                    certain,
                    ..RuleTarget::new(text)
                })?;
            }
            Part::Change(text) => {
                self.is_renamed = true;
                let certain = (!is_own(&text)).then_some(0);
                self.is_another |= certain.is_some() && misleads(&text);
                self.add(RuleTarget { certain, ..RuleTarget::exact(text) })?;
            }
        }
        Ok(Vec::new())
    }

    /// Takes in a command and those it starts.
    fn command(&mut self, command: Command) -> Result<Vec<Inside>, Unclear> {
        let mut scripts = Vec::new();
        let is_fed = command.is_fed;
        let mut commands = VecDeque::from([(command, 0)]);
        while let Some((command, depth)) = commands.pop_front() {
            if depth > limits::WRAPPERS {
                return Err(Unclear(
                    "it has programs that start programs that start more".to_owned(),
                ));
            }
            for inner in self.judge(command)? {
                match inner {
                    Inner::Script(script) => scripts.push(Inside { script, is_fed }),
                    Inner::Unknown => {
                        let told = "it runs a script that is only known when it runs";
                        return Err(Unclear(told.to_owned()));
                    }
                    Inner::Words(words) => {
                        let inner = Command { words, is_fed, ..Command::default() };
                        commands.push_back((inner, depth + 1));
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
        self.feeds |= command.is_fed;
        self.is_another |= matches!(&*program, "alias" | "enable" | "hash");
        if carries_out(&command, &program) {
            self.carries.push(match command.is_fed || command.words.len() < 2 {
                true => Carries::Fed,
                false => Carries::Alone(shown(&command)),
            });
        }
        let certain = certain(&command, &program);
        if !command.set.is_empty() {
            let bare = Command { set: Vec::new(), ..command.clone() };
            self.add(RuleTarget { certain, ..RuleTarget::exact(shown(&bare)) })?;
        }
        // git reads settings that run programs: beside others it is not known to only look.
        let read_only = !is_open && program != "git" && looking::only_looks(&command.words);
        self.add(RuleTarget { exact: is_open, read_only, certain, text: shown(&command) })?;
        Ok(inner)
    }

    fn add(&mut self, subject: RuleTarget) -> Result<(), Unclear> {
        self.length += subject.text.len();
        if self.length > limits::TEXT {
            return Err(Unclear("it is nested too deeply to be looked at".to_owned()));
        }
        if self.seen.insert((subject.text.clone(), subject.exact)) {
            self.found.push(subject);
        }
        Ok(())
    }

    /// What carries out text which is not in this script.
    fn unseen(self, script: &str) -> Vec<OpaqueCommand> {
        let renamed = (self.is_another && self.feeds).then_some(Carries::Fed);
        let parts = self.carries.into_iter().chain(renamed).map(|it| match it {
            Carries::Alone(part) => part,
            Carries::Fed => script.to_owned(),
        });
        let mut parts: Vec<_> = parts.collect();
        parts.dedup();
        parts.into_iter().map(|part| OpaqueCommand::Brought { part }).collect()
    }

    /// All of it.
    fn subjects(mut self) -> Result<Vec<RuleTarget>, Unclear> {
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
    let path = settled(&program.text);
    let name = FOLDERS.iter().find_map(|it| path.strip_prefix(it));
    match name.filter(|it| !it.is_empty() && !it.contains('/')) {
        Some(name) => {
            program.text = name.to_owned();
            true
        }
        None => !program.text.contains('/'),
    }
}

/// A full path without the parts that lead back: `/usr/../bin/rm` is `/bin/rm`. No link in the
/// system's folders leads elsewhere.
fn settled(path: &str) -> String {
    if !path.starts_with('/') {
        return path.to_owned();
    }
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// How much of a command's words is certain to be all that it runs; all of it where nothing is said.
fn certain(command: &Command, program: &str) -> Option<usize> {
    let arguments = command.words.get(1..).unwrap_or_default();
    let is_system = command.words.first().is_some_and(|it| it.is(program));
    let is_known = is_system && programs::starts_nothing(program);
    if !is_known
        || programs::does_more(program, arguments)
        || !command.set.iter().all(|it| is_own(it))
    {
        return Some(0);
    }
    let plain = command.words.iter().take_while(|it| it.kind == Kind::Plain).count();
    if plain < command.words.len() {
        let words: Vec<_> = command.words.iter().take(plain).map(Word::shown).collect();
        let is_free = looking::is_free(program) || programs::WRITERS.contains(&program);
        return Some(if is_free { words.join(" ").len() } else { 0 });
    }
    let words = command.words.iter().map(Word::shown).collect::<Vec<_>>();
    (!command.writes.is_empty()).then(|| words.join(" ").len())
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
