//! [`Intake`]: entries on their way into a library, and what became of them.

use std::path::Path;

use jiff::Timestamp;

use super::{
    Added, Imported, Local,
    dating::{Dated, Dating, Hints, Moment, Overlap},
    entry::{Entry, Meaning},
    verbs::Verbs,
    words::Languages,
};
use crate::{Library, Progress, WatchError, WatchErrorKind, Watched};

/// Few enough to be kept in one piece without anybody waiting for long.
const BATCH: usize = 4096;
/// So many broken entries are described.
const MOST_BROKEN: u64 = 5;
const MOST_PROBLEMS: usize = 25;
/// So many problems are told where there is no history: one of them may be why.
const MOST_DOUBTS: usize = 3;
const LONGEST_PROBLEM: usize = 400;
const EACH: u64 = 1000;
/// So many entries show how a file says that something was watched.
const FIRST: u64 = 256;
/// So many entries wait until the rest of the file tells which zone their times are in.
const MOST_HELD: usize = 50_000;
/// So many of them are looked up among what is known.
const MOST_PROBES: usize = 1_000;

const ADVICE: &str = "Get one at takeout.google.com: choose YouTube and YouTube Music, of it only the \
    history, in the JSON format. Then give the file watch-history.json, the folder, or the archive as it \
    came.";

/// Entries on their way into a library, and what became of them.
pub(super) struct Intake<'a> {
    library: &'a Library,
    progress: Progress<'a>,
    hints: Hints,
    all: Imported,
    /// Of the file that is read.
    file: Imported,
    /// What was wrong with files that may be something else.
    doubts: Vec<String>,
    name: String,
    verbs: Verbs,
    /// Of the file that is read.
    pub(super) languages: Languages,
    /// The first entries of the file, until it is known how it says that something was watched.
    first: Vec<Entry>,
    /// Of the file that is read.
    dating: Dating,
    /// Entries whose zone is not known yet, and their times.
    held: Vec<(Entry, Local)>,
    /// What was watched; with its local time, where the zone was chosen.
    watched: Vec<(Watched, Option<Local>)>,
    gone: Vec<(Timestamp, &'static str, Option<Local>)>,
}

impl<'a> Intake<'a> {
    pub(super) fn new(library: &'a Library, hints: Hints, progress: Progress<'a>) -> Self {
        Self {
            library,
            progress,
            dating: Dating::new(hints.clone()),
            hints,
            all: Imported::default(),
            file: Imported::default(),
            doubts: Vec::new(),
            name: String::new(),
            verbs: Verbs::default(),
            languages: Languages::default(),
            first: Vec::new(),
            held: Vec::new(),
            watched: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// Begins a file.
    pub(super) fn begin(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        self.file = Imported::default();
        self.verbs = Verbs::default();
        self.languages = Languages::default();
        self.first.clear();
        self.held.clear();
        self.dating = Dating::new(self.hints.clone());
    }

    /// Takes an entry, or what is wrong with it.
    pub(super) fn take(
        &mut self,
        offset: u64,
        entry: Result<Entry, String>,
    ) -> Result<(), WatchError> {
        self.file.entries += 1;
        let read = self.all.entries + self.file.entries;
        if read.is_multiple_of(EACH) {
            (self.progress)(read, None);
        }
        match entry {
            Ok(entry) if self.file.entries <= FIRST => self.first.push(entry),
            Ok(entry) => {
                self.learn();
                self.date(entry);
                if self.held.len() >= MOST_HELD {
                    self.settle()?;
                }
            }
            Err(reason) => {
                self.file.broken += 1;
                if self.all.broken + self.file.broken <= MOST_BROKEN {
                    let reason = format!("the entry at byte {offset}: {reason}");
                    describe(&mut self.file, &self.name, &reason);
                }
            }
        }
        if self.watched.len() + self.gone.len() >= BATCH { self.keep() } else { Ok(()) }
    }

    /// Sorts the first entries, now that there are enough of them to tell the verb.
    fn learn(&mut self) {
        let first = std::mem::take(&mut self.first);
        if first.is_empty() {
            return;
        }
        let said: Vec<String> = first.iter().filter_map(Entry::sentence).collect();
        self.verbs.learn(&said);
        for entry in first {
            self.date(entry);
        }
    }

    /// Sorts an entry, once it is known when it was.
    fn date(&mut self, entry: Entry) {
        let local = match &entry.at {
            Moment::Exact(at) => return self.sort(&entry, Dated { at: *at, is_open: false }, None),
            Moment::Local(local) => local.clone(),
        };
        match self.dating.date(&local) {
            Some(dated) => self.sort(&entry, dated, Some(local)),
            None => self.held.push((entry, local)),
        }
    }

    /// Chooses the zone of entries that wait for it.
    fn settle(&mut self) -> Result<(), WatchError> {
        for (entry, _) in std::mem::take(&mut self.held) {
            self.date(entry);
        }
        if self.held.is_empty() {
            return Ok(());
        }
        let overlaps = self.overlaps()?;
        let open: Vec<_> = self.held.iter().map(|it| it.1.clone()).collect();
        let languages = self.languages.likeliest();
        if let Some(unclear) = self.dating.choose(&open, &overlaps, &languages) {
            describe(&mut self.file, &self.name, &unclear);
        }
        for (entry, local) in std::mem::take(&mut self.held) {
            match self.dating.date(&local) {
                Some(dated) => self.sort(&entry, dated, Some(local)),
                None => self.file.broken += 1,
            }
        }
        Ok(())
    }

    /// What is known of the videos of entries that wait.
    fn overlaps(&self) -> Result<Vec<Overlap>, WatchError> {
        let mut overlaps = Vec::new();
        // From all over the file: an older export knows only its older part.
        let step = self.held.len().div_ceil(MOST_PROBES).max(1);
        for (entry, local) in self.held.iter().step_by(step) {
            let Some(id) = entry.video() else { continue };
            let known = self.library.sure_times(id, local)?;
            if !known.is_empty() {
                overlaps.push(Overlap { local: local.clone(), known });
            }
        }
        Ok(overlaps)
    }

    fn sort(&mut self, entry: &Entry, Dated { at, is_open }: Dated, local: Option<Local>) {
        let local = local.filter(|_| is_open);
        match entry.meaning(at, &mut self.verbs) {
            Meaning::Watched(watched) => self.watched.push((watched, local)),
            Meaning::Gone(at, kind) => {
                self.file.gone += 1;
                self.gone.push((at, kind, local));
            }
            Meaning::Ad => self.file.ads += 1,
            Meaning::Other => self.file.other += 1,
        }
    }

    /// Notes that a file cannot be read any further.
    pub(super) fn damaged(&mut self, offset: u64, reason: &str) {
        let reason = format!(
            "damaged at byte {offset}: {reason}. What came before was kept; get the export anew for the \
             rest"
        );
        describe(&mut self.file, &self.name, &reason);
    }

    /// Notes something that could not be opened.
    pub(super) fn unreadable(&mut self, name: &str, reason: &str) {
        describe(&mut self.all, name, reason);
    }

    /// Ends a file. One in which nothing was watched is none of ours: a list of searches, say.
    pub(super) fn end(&mut self) -> Result<(), WatchError> {
        self.learn();
        self.settle()?;
        self.keep()?;
        let file = std::mem::take(&mut self.file);
        let found = file.added + file.known + file.gone + file.ads;
        if found == 0 {
            self.doubts.extend(file.problems.into_iter().take(MOST_DOUBTS));
            self.doubts.truncate(MOST_DOUBTS);
            return Ok(());
        }
        let all = &mut self.all;
        all.files.push(std::mem::take(&mut self.name));
        all.entries += file.entries;
        all.added += file.added;
        all.known += file.known;
        all.videos += file.videos;
        all.ads += file.ads;
        all.gone += file.gone;
        all.other += file.other;
        all.broken += file.broken;
        all.problems.extend(file.problems);
        all.problems.truncate(MOST_PROBLEMS);
        Ok(())
    }

    /// What became of it all.
    pub(super) fn finish(self, path: &Path) -> Result<Imported, WatchError> {
        if self.all.files.is_empty() {
            let mut message = format!("there is no watch history in {}", path.display());
            for problem in self.all.problems.iter().chain(&self.doubts).take(MOST_DOUBTS) {
                message.push_str("; ");
                message.push_str(problem);
            }
            return Err(WatchError::new(WatchErrorKind::Unreadable, message).with_advice(ADVICE));
        }
        (self.progress)(self.all.entries, Some(self.all.entries));
        Ok(self.all)
    }

    fn keep(&mut self) -> Result<(), WatchError> {
        if self.watched.is_empty() && self.gone.is_empty() {
            return Ok(());
        }
        let (watched, gone) = (&self.watched, &self.gone);
        let added = self.library.write(|writing| {
            let mut added = Added::default();
            for (watched, local) in watched {
                added.count(writing.watched(watched, local.as_ref())?);
            }
            for (at, kind, local) in gone {
                writing.gone(*at, kind, local.as_ref())?;
            }
            Ok(added)
        })?;
        self.file.added += added.added;
        self.file.known += added.known;
        self.file.videos += added.videos;
        self.watched.clear();
        self.gone.clear();
        Ok(())
    }
}

fn describe(imported: &mut Imported, name: &str, reason: &str) {
    if imported.problems.len() < MOST_PROBLEMS {
        let end = reason.char_indices().nth(LONGEST_PROBLEM).map_or(reason.len(), |(at, _)| at);
        let reason = reason.get(..end).unwrap_or_default();
        imported.problems.push(format!("{name}: {reason}"));
    }
}
