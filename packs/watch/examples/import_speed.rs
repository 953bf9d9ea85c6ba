//! Measures imports: `cargo run --release --example import_speed [ENTRIES]`. Makes exports up, and says how
//! long they took, how long the same took again, and how much memory the process needed at most.
#![allow(clippy::unwrap_used, reason = "a program for measuring may fail by panicking")]

use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
    time::Instant,
};

use tempfile::TempDir;
use toolwright_watch::{ChannelChoice, Library};

const WORDS: [&str; 16] = [
    "music", "history", "bread", "engine", "river", "violin", "planet", "rust", "garden", "bridge",
    "storm", "market", "winter", "camera", "language", "ocean",
];

fn main() {
    let entries = std::env::args().nth(1).map_or(100_000, |it| it.parse().unwrap());
    let folder = TempDir::new().unwrap();
    let json = folder.path().join("watch-history.json");
    write_json(&json, entries);
    let html = folder.path().join("watch-history.html");
    write_html(&html, entries);
    println!("before: {} kB", memory());
    let library = Library::open(&folder.path().join("json")).unwrap();
    import(&library, &json, "JSON");
    import(&library, &json, "JSON again");
    ask(&library);
    let library = Library::open(&folder.path().join("html")).unwrap();
    import(&library, &html, "HTML");
}

fn import(library: &Library, path: &Path, what: &str) {
    let size = fs::metadata(path).unwrap().len() >> 20;
    let began = Instant::now();
    let imported = library.import(path, &mut |_, _| {}).unwrap();
    let took = began.elapsed();
    println!(
        "{what}: {} entries, {size} MB, {} added, {} known, {} videos in {took:.2?}; at most {} kB",
        imported.entries,
        imported.added,
        imported.known,
        imported.videos,
        memory()
    );
}

fn ask(library: &Library) {
    let time = |what: &str, ask: &dyn Fn()| {
        let began = Instant::now();
        ask();
        println!("{what}: {:.2?}", began.elapsed());
    };
    let name = ChannelChoice::Name(String::from("Chanel 77"));
    time("statistics", &|| drop(library.statistics().unwrap()));
    time("recent", &|| drop(library.recent(10, None).unwrap()));
    time("channel by a misspelled name", &|| drop(library.channels(&name).unwrap()));
    time("video", &|| drop(library.video("v0000000042").unwrap()));
}

/// The title and the channel of an entry: two in three are of a video that comes once.
fn entry(at: u64) -> (String, String, u64) {
    let video = if at.is_multiple_of(3) { at % 5000 } else { at };
    let word = |shift: u64| WORDS.iter().cycle().nth(((video >> shift) % 16) as usize).unwrap();
    let title = format!("{} {} and {} number {video}", word(0), word(4), word(8));
    (title, format!("v{video:010}"), video % 3000)
}

fn write_json(path: &Path, entries: u64) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    for at in 0..entries {
        let (title, id, channel) = entry(at);
        let begin = if at == 0 { "[" } else { "," };
        let moment =
            jiff::Timestamp::from_second(1_700_000_000 - i64::try_from(at).unwrap() * 600).unwrap();
        write!(
            file,
            "{begin}{{\n  \"header\": \"YouTube\",\n  \"title\": \"Watched {title}\",\n  \
             \"titleUrl\": \"https://www.youtube.com/watch?v\\u003d{id}\",\n  \"subtitles\": [{{\n    \
             \"name\": \"Channel {channel}\",\n    \
             \"url\": \"https://www.youtube.com/channel/UC{channel:022}\"\n  }}],\n  \
             \"time\": \"{moment}\",\n  \"products\": [\"YouTube\"],\n  \
             \"activityControls\": [\"YouTube watch history\"]\n}}"
        )
        .unwrap();
    }
    file.write_all(b"]").unwrap();
}

fn write_html(path: &Path, entries: u64) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    write!(file, "<html><head><style>{}</style></head><body>", ".x{margin:0}".repeat(10_000))
        .unwrap();
    for at in 0..entries {
        let (title, id, channel) = entry(at);
        let (day, hour, minute) = (at / 1440 % 28 + 1, at / 60 % 24, at % 60);
        let year = 2024 - at / 40_320 / 12;
        let month = at / 40_320 % 12 + 1;
        write!(
            file,
            "<div class=\"outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp\"><div class=\"mdl-grid\">\
             <div class=\"header-cell mdl-cell mdl-cell--12-col\"><p class=\"mdl-typography--title\">YouTube<br></p></div>\
             <div class=\"content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1\">Watched&nbsp;\
             <a href=\"https://www.youtube.com/watch?v={id}\">{title}</a><br>\
             <a href=\"https://www.youtube.com/channel/UC{channel:022}\">Channel {channel}</a><br>\
             {day:02}.{month:02}.{year}, {hour:02}:{minute:02}:00 MEZ<br></div>\
             <div class=\"content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right\"></div>\
             <div class=\"content-cell mdl-cell mdl-cell--12-col mdl-typography--caption\"><b>Products:</b><br>&emsp;YouTube<br>\
             <b>Why is this here?</b><br>&emsp;This activity was saved to your Google Account because the following settings were on:&nbsp;YouTube watch history.</div></div></div>"
        )
        .unwrap();
    }
    file.write_all(b"</body></html>").unwrap();
}

/// The most memory the process ever had, in kB; zero where the system does not tell.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}
