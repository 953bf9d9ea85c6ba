//! Files, folders and archives.

use std::{
    fs::{self, File},
    io::Write,
    path::PathBuf,
};

use serde_json::json;
use toolwright_watch::WatchErrorKind;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::making::{Desk, cell, page, watched};

fn history(ids: &[&str]) -> String {
    let entry = |id: &&str| watched(id, "Tea", "Channel", "2023-06-04T04:07:59Z");
    json!(ids.iter().map(entry).collect::<Vec<_>>()).to_string()
}

fn archive(desk: &Desk, name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let path = desk.file(name, "");
    let mut writer = ZipWriter::new(File::create(&path).unwrap());
    for (name, bytes) in files {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap();
    path
}

#[test]
fn an_archive_is_read_whatever_its_files_are_called() {
    let desk = Desk::new();
    let history = history(&["aaaaaaaaaaa"]);
    let files: [(&str, &[u8]); 4] = [
        ("Takeout/YouTube 및 YouTube Music/시청 기록/시청 기록.json", history.as_bytes()),
        ("Takeout/YouTube/playlists/list.csv", b"Video ID,Time\naaaaaaaaaaa,now\n"),
        ("Takeout/archive_browser.html", b"<html><body>Your files</body></html>"),
        ("Takeout/YouTube/videos/film.mp4", &[0, 0, 0, 24, 102, 116, 121, 112]),
    ];
    let imported = desk.import(&archive(&desk, "takeout.zip", &files)).unwrap();
    assert_eq!((imported.added, imported.files.len()), (1, 1));
    assert!(imported.files[0].contains("시청 기록.json"), "{:?}", imported.files);
    assert!(imported.problems.is_empty(), "{:?}", imported.problems);
}

#[test]
fn a_folder_is_searched_with_all_parts_of_an_export() {
    let desk = Desk::new();
    archive(
        &desk,
        "parts/takeout-001.zip",
        &[("Takeout/a.json", history(&["aaaaaaaaaaa"]).as_bytes())],
    );
    archive(
        &desk,
        "parts/takeout-002.zip",
        &[("Takeout/b.json", history(&["bbbbbbbbbbb"]).as_bytes())],
    );
    desk.file("parts/deep/er/history", history(&["ccccccccccc", "aaaaaaaaaaa"]));
    let content =
        "Watched <a href=\"https://youtu.be/ddddddddddd\">Tea</a><br>2024-03-01 19:15:30 UTC";
    desk.file("parts/Verlauf/Wiedergabeverlauf.html", page(&[cell(content, "")]));
    desk.file("parts/subscriptions.json", "[{\"id\": 1}, {\"id\": 2}]");
    desk.file("parts/empty.json", "");
    let imported = desk.import(&desk.folder.path().join("export")).unwrap();
    assert_eq!((imported.files.len(), imported.added, imported.known), (4, 4, 1));
    assert!(imported.problems.is_empty(), "{:?}", imported.problems);
}

#[test]
fn searches_beside_the_history_are_none_of_it() {
    let desk = Desk::new();
    let search = json!([{"header": "YouTube", "title": "Searched for tea", "time": "2023-06-04T04:07:59Z",
        "titleUrl": "https://www.youtube.com/results?search_query=tea", "products": ["YouTube"]}]);
    let alone = desk.file("alone/search-history.json", search.to_string());
    assert_eq!(desk.import(&alone).unwrap_err().kind, WatchErrorKind::Unreadable);

    desk.file("alone/watch-history.json", history(&["aaaaaaaaaaa"]));
    let imported = desk.import(alone.parent().unwrap()).unwrap();
    assert_eq!((imported.files.len(), imported.entries, imported.other), (1, 1, 0));
}

#[test]
fn a_folder_without_a_history_says_how_to_get_one() {
    let desk = Desk::new();
    desk.file("notes/todo.txt", "buy tea");
    let error = desk.import(&desk.folder.path().join("export")).unwrap_err();
    assert_eq!(error.kind, WatchErrorKind::Unreadable);
    let advice = error.advice.unwrap();
    assert!(advice.contains("takeout.google.com") && advice.contains("JSON"), "{advice}");
    let error = desk.import(&desk.folder.path().join("nowhere")).unwrap_err();
    assert_eq!(error.kind, WatchErrorKind::Unreadable);
    assert!(error.message.contains("nowhere"));
}

#[test]
fn a_damaged_archive_is_reported_and_the_others_are_read() {
    let desk = Desk::new();
    let whole = archive(&desk, "parts/a.zip", &[("a.json", history(&["aaaaaaaaaaa"]).as_bytes())]);
    let bytes = fs::read(&whole).unwrap();
    let broken = desk.file("parts/b.zip", &bytes[..bytes.len() / 2]);
    let imported = desk.import(&desk.folder.path().join("export")).unwrap();
    assert_eq!(imported.added, 1);
    assert!(imported.problems[0].contains("b.zip"), "{:?}", imported.problems);
    let error = desk.import(&broken).unwrap_err();
    assert!(error.message.contains("damaged"), "{error}");
}

#[test]
fn a_file_that_does_not_match_its_checksum_is_reported() {
    let desk = Desk::new();
    let path = desk.file("a.zip", "");
    let mut writer = ZipWriter::new(File::create(&path).unwrap());
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file("a.json", stored).unwrap();
    writer.write_all(history(&["aaaaaaaaaaa"]).as_bytes()).unwrap();
    writer.finish().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(3).position(|it| it == b"Tea").unwrap();
    bytes[at] = b'S';
    fs::write(&path, bytes).unwrap();
    let said = match desk.import(&path) {
        Ok(imported) => imported.problems.join("; "),
        Err(error) => error.message,
    };
    assert!(said.to_lowercase().contains("checksum"), "{said}");
}

#[test]
fn an_encrypted_archive_says_what_to_do() {
    let desk = Desk::new();
    let path = archive(&desk, "a.zip", &[("a.json", history(&["aaaaaaaaaaa"]).as_bytes())]);
    let mut bytes = fs::read(&path).unwrap();
    // The bit that says so, in the file's own header and in the list at the end.
    bytes[6] |= 1;
    let list = bytes.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
    bytes[list + 8] |= 1;
    fs::write(&path, bytes).unwrap();
    let error = desk.import(&path).unwrap_err();
    assert!(error.message.contains("encrypted"), "{error}");
}

#[test]
fn links_in_a_folder_are_not_followed() {
    let desk = Desk::new();
    desk.file("outside/history.json", history(&["aaaaaaaaaaa"]));
    let inside = desk.file("inside/readme.txt", "nothing");
    let outside = desk.folder.path().join("export/outside");
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside, inside.parent().unwrap().join("link")).unwrap();
    assert!(desk.import(inside.parent().unwrap()).is_err());
}
