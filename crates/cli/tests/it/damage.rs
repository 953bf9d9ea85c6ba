//! Bytes of the database that are not what was written: never a panic, never a wrong word, and
//! whoever meets them is told which file it is and what to do.

use std::{fs, path::PathBuf};

use rusqlite::Connection;

use crate::harness::{Cli, Ended};

/// A database with a few conversations in it, all in one file.
struct Original {
    cli: Cli,
    bytes: Vec<u8>,
    lines: Vec<String>,
}

impl Original {
    async fn new() -> Self {
        let cli = Cli::new();
        for question in ["What is the weather in Rome?", "Note: water the plants", "Show my notes"]
        {
            let ended = cli.run(&["ask", question]).await;
            assert_eq!(ended.code, Some(0), "{}", ended.err);
        }
        let file = database(&cli);
        let db = Connection::open(&file).unwrap();
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        db.close().unwrap();
        let export = cli.run(&["conversations", "export"]).await;
        let lines = export.out.lines().map(str::to_owned).collect();
        Self { bytes: fs::read(file).unwrap(), lines, cli }
    }

    /// The same, with this byte another.
    fn with(&self, at: usize) -> Cli {
        let cli = Cli::new();
        let data = cli.folder.path().join("data");
        fs::create_dir(&data).unwrap();
        let mut bytes = self.bytes.clone();
        // A letter stays a letter: what is in JSON stays JSON.
        bytes[at] ^= 0x01;
        fs::write(data.join("toolwright.db"), bytes).unwrap();
        fs::copy(self.cli.folder.path().join("data/log.key"), data.join("log.key")).unwrap();
        cli
    }

    /// Every word that is shown is one that was written; where something is missing, that is told.
    fn assert_honest(&self, at: usize, cli: &Cli, ended: &Ended) {
        for line in ended.out.lines() {
            assert!(self.lines.iter().any(|it| it == line), "byte {at}: nobody wrote {line}");
        }
        match ended.code {
            Some(0) => assert_eq!(ended.out.lines().count(), self.lines.len(), "byte {at}"),
            _ => assert_named(at, cli, ended),
        }
    }

    /// Where text of events stands: a byte in each.
    fn texts(&self) -> Vec<usize> {
        let found = self.bytes.windows(7).enumerate().filter(|(_, it)| it == b"\"type\":");
        // Behind the name of the kind, in what the event says.
        let places = found
            .map(|(at, _)| at + 40)
            .filter(|at| self.bytes.get(*at).is_some_and(u8::is_ascii_lowercase));
        places.collect()
    }

    /// The byte that says what a page is, of every page.
    fn pages(&self) -> Vec<usize> {
        let size = usize::from(u16::from_be_bytes([self.bytes[16], self.bytes[17]]));
        (0..self.bytes.len() / size).map(|page| if page == 0 { 100 } else { page * size }).collect()
    }
}

fn database(cli: &Cli) -> PathBuf {
    cli.folder.path().join("data/toolwright.db")
}

fn assert_named(at: usize, cli: &Cli, ended: &Ended) {
    assert_eq!(ended.code, Some(1), "byte {at}: {}", ended.err);
    assert!(ended.err.contains("is damaged"), "byte {at}: {}", ended.err);
    assert!(ended.err.contains(database(cli).to_str().unwrap()), "byte {at}: {}", ended.err);
}

#[tokio::test]
async fn a_changed_letter_is_never_shown() {
    let original = Original::new().await;
    let texts = original.texts();
    assert!(texts.len() > 10, "there is too little to damage");
    let mut told = 0;
    for at in texts {
        let cli = original.with(at);
        let ended = cli.run(&["conversations", "export"]).await;
        original.assert_honest(at, &cli, &ended);
        told += usize::from(ended.code != Some(0));
    }
    assert!(told > 5, "nothing that matters was damaged");
}

#[tokio::test]
async fn a_damaged_page_is_told_by_the_name_of_the_file() {
    let original = Original::new().await;
    let mut told = 0;
    for at in original.pages() {
        let cli = original.with(at);
        let ended = cli.run(&["conversations", "export"]).await;
        original.assert_honest(at, &cli, &ended);
        told += usize::from(ended.code != Some(0));
        // Whoever would write meets it or does not touch it.
        let ended = cli.run(&["ask", "What is the weather in Oslo?"]).await;
        if ended.code != Some(0) {
            assert_named(at, &cli, &ended);
            assert!(ended.err.contains("what to do:"), "byte {at}: {}", ended.err);
        }
    }
    assert!(told > 2, "nothing that matters was damaged");
}

#[tokio::test]
async fn the_doctor_finds_it() {
    let original = Original::new().await;
    let sound = original.cli.run(&["doctor"]).await;
    assert!(sound.out.contains("is sound"), "{}", sound.out);
    let text = original.texts()[3];
    for at in [text, original.pages()[1]] {
        let cli = original.with(at);
        let ended = cli.run(&["doctor"]).await;
        assert_eq!(ended.code, Some(1), "byte {at}: {}", ended.out);
        let name = database(&cli);
        assert!(ended.out.contains(&format!("{} is damaged", name.display())), "{}", ended.out);
    }
}
