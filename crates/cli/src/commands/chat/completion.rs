//! [`Completions`]: what a line in a chat may go on with.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use toolwright_app::TaskContext;
use toolwright_core::is_hidden;
use toolwright_store::{ConversationPage, Store};

use super::{
    super::{attaching::typed_path, slash},
    table::{self, Completes},
};

/// How many files of a folder are looked at, and how many conversations.
const MOST: usize = 1_000;

/// What a line may go on with. What servers have comes later than the first line, and may change.
#[derive(Clone, Default)]
pub(super) struct Completions(Arc<Mutex<Known>>);

/// What is known to complete.
#[derive(Default)]
struct Known {
    /// The commands of the project, and of servers.
    commands: Vec<String>,
    resources: Vec<String>,
    models: Vec<String>,
    tasks: Vec<String>,
    conversations: Vec<String>,
}

impl Completions {
    /// Takes up what there is, while a person types.
    pub(super) fn refresh(&self, project: &TaskContext, store: &Store) {
        let (known, project, store) = (self.clone(), project.clone(), store.clone());
        tokio::spawn(async move {
            let page = ConversationPage { limit: 50, ..ConversationPage::default() };
            let newest = store.list(&page).await.unwrap_or_default();
            known.lock().conversations = newest.iter().map(|it| it.id.to_string()).collect();
            let commands = slash::completions(&project).await;
            let resources = project.resources().await;
            let mut known = known.lock();
            (known.commands, known.resources) = (commands, resources);
        });
    }

    pub(super) fn set_tasks(&self, tasks: Vec<String>) {
        self.lock().tasks = tasks;
    }

    pub(super) fn add_models(&self, models: impl IntoIterator<Item = String>) {
        let mut known = self.lock();
        known.models.extend(models);
        known.models.sort();
        known.models.dedup();
    }

    /// From where on the line is replaced, and by what.
    pub(super) fn fitting(&self, typed: &str) -> (usize, Vec<String>) {
        let known = self.lock();
        let named = typed.split_once(' ');
        if let Some((name, rest)) = named
            && let Some(command) = table::find(name)
        {
            let from = typed.len() - rest.len();
            let of = |all: &[String]| beginning(all.iter().map(String::as_str), rest);
            return match command.completes {
                Completes::Nothing => (from, Vec::new()),
                Completes::Files => {
                    let (at, files) = files(rest);
                    match of(&known.resources) {
                        resources if resources.is_empty() => (from + at, files),
                        resources => (from, resources),
                    }
                }
                Completes::Models => (from, of(&known.models)),
                Completes::Tasks => (from, of(&known.tasks)),
                Completes::Conversations => (from, of(&known.conversations)),
                Completes::Words(words) => (from, beginning(words.iter().copied(), rest)),
            };
        }
        if typed.starts_with('/') {
            let own = table::listed().map(|it| match it.arguments {
                "" => it.name.to_owned(),
                _ => format!("{} ", it.name),
            });
            let all: Vec<_> = own.chain(known.commands.iter().cloned()).collect();
            return (0, beginning(all.iter().map(String::as_str), typed));
        }
        // A blank behind a backslash is a part of a name.
        let begins = |(at, _): &(usize, &str)| {
            !(cfg!(unix) && typed.get(..*at).is_some_and(|it| it.ends_with('\\')))
        };
        let blank = typed.rmatch_indices(char::is_whitespace).find(begins);
        let word = blank.map_or(0, |(at, blank)| at + blank.len());
        match typed.get(word..).and_then(|it| it.strip_prefix('@')) {
            Some(path) => {
                let (at, files) = files(path);
                (word + 1 + at, files)
            }
            None => (typed.len(), Vec::new()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn beginning<'a>(all: impl Iterator<Item = &'a str>, typed: &str) -> Vec<String> {
    all.filter(|it| it.starts_with(typed)).map(str::to_owned).collect()
}

/// The files that a path may go on with, and from where on. A name that a terminal would obey is not offered.
fn files(typed: &str) -> (usize, Vec<String>) {
    let at = typed.rfind('/').map_or(0, |at| at + 1);
    let (folder, begun) = typed.split_at(at);
    let folder = if folder.is_empty() { Path::new(".").to_owned() } else { typed_path(folder) };
    let begun = begun.replace('\\', "");
    let Ok(entries) = fs::read_dir(folder) else { return (at, Vec::new()) };
    let mut fits: Vec<_> = entries
        .take(MOST)
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_plain = !name.chars().any(|it| it.is_control() || is_hidden(it));
            let is_wanted =
                name.starts_with(&begun) && (begun.starts_with('.') || !name.starts_with('.'));
            if !is_plain || !is_wanted {
                return None;
            }
            let is_folder = entry.path().is_dir();
            Some(format!("{}{}", escaped(&name), if is_folder { "/" } else { "" }))
        })
        .collect();
    fits.sort();
    (at, fits)
}

/// A name as it is typed: what a shell would take away has a backslash before it.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        if cfg!(unix) && matches!(letter, ' ' | '\'' | '"' | '\\') {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Completions;

    #[test]
    fn commands_and_what_stands_behind_them_are_completed() {
        let known = Completions::default();
        known.set_tasks(vec!["demo".to_owned(), "trading".to_owned()]);
        known.add_models(["openai:b", "openai:a", "openai:a"].map(str::to_owned));
        assert_eq!(known.fitting("/ret"), (0, vec!["/retry".to_owned()]));
        assert_eq!(known.fitting("/att"), (0, vec!["/attach ".to_owned()]));
        assert_eq!(known.fitting("/task tr"), (6, vec!["trading".to_owned()]));
        let models = ["openai:a", "openai:b"].map(str::to_owned).to_vec();
        assert_eq!(known.fitting("/model o"), (7, models));
        assert_eq!(known.fitting("/thinking o").1, ["on", "off"]);
        assert!(known.fitting("What is /ret").1.is_empty());
        assert!(known.fitting("/exi").1.is_empty(), "it is another name of /quit");
    }

    #[test]
    fn files_are_completed_and_hostile_names_are_not_offered() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a b.txt", "a\u{1b}[2J.txt", "a\u{202e}.txt", ".hidden"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        std::fs::create_dir(folder.path().join("apart")).unwrap();
        let path = folder.path().to_str().unwrap();
        let known = Completions::default();
        for before in ["/attach ", "What is in @", "@"] {
            let (at, fits) = known.fitting(&format!("{before}{path}/a"));
            assert_eq!(at, before.len() + path.len() + 1);
            assert_eq!(fits, ["a\\ b.txt", "apart/"]);
            let (_, fits) = known.fitting(&format!("{before}{path}/a\\ "));
            assert_eq!(fits, ["a\\ b.txt"]);
            let (_, fits) = known.fitting(&format!("{before}{path}/."));
            assert_eq!(fits, [".hidden"]);
        }
        assert!(known.fitting(&format!("/attach {path}/nosuch/")).1.is_empty());
    }
}
