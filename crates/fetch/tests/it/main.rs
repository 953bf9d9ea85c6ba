//! Fetches from servers on real sockets that cut, lie, send something else and point elsewhere.
//! Tests are named after the statement they prove.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking too"
)]

mod asking;
mod lies;
mod resuming;

use std::{
    fs,
    io::{Cursor, Write},
    path::Path,
    sync::LazyLock,
    time::Duration,
};

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use toolwright_fetch::{Bundle, FetchError, Indexes, Package, PackageFile, PackageIndex, Timing};
use toolwright_testkit::http::{Answer, Request, Server};
use zip::{ZipWriter, write::SimpleFileOptions};

const FILE: &str = "toolwright_words-1.0.0-py3-none-any.whl";

/// What is wanted: hard to compress, so that the wheel is as long.
static WORDS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut state = 1_u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..300_000).map(next).collect()
});

static WHEEL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [
        ("words/__init__.py", b"raise SystemExit".as_slice()),
        ("words/words.bin", &WORDS),
        ("words-1.0.0.dist-info/LICENSE", b"Do as you like."),
    ] {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
});

static BUNDLE: LazyLock<Bundle> = LazyLock::new(|| {
    let sum = |bytes: &[u8]| -> &'static str {
        let sum = Sha256::digest(bytes);
        sum.iter().map(|it| format!("{it:02x}")).collect::<String>().leak()
    };
    let part = PackageFile { name: "words.bin", bytes: WORDS.len() as u64, sum: sum(&WORDS) };
    let package = Package {
        project: "toolwright-words",
        version: "1.0.0",
        file: FILE,
        bytes: WHEEL.len() as u64,
        sum: sum(&WHEEL),
        part,
        inside: "words/words.bin",
        licence: Some("words-1.0.0.dist-info/LICENSE"),
    };
    Bundle { what: "The list of words", packages: vec![package].leak() }
});

/// The page of an index with this link to the wheel.
fn page(link: &str) -> Answer {
    let html = format!(
        "<!DOCTYPE html><body><a href='other-1.0-py3-none-any.whl'>o</a>\n\
         <a data-requires-python=\"&gt;=3.9\" href=\"{link}#sha256=0\">{FILE}</a></body>"
    );
    Answer::whole("text/html", html)
}

/// An index whose page is as it should be, and whose file is served like this.
fn serving(file: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Server {
    Server::new(move |request| match request.path.as_str() {
        "/simple/toolwright-words/" => page(&format!("../../files/{FILE}")),
        path if path.ends_with(".whl") => file(request),
        _ => Answer::new("404 Not Found", &[("Content-Length", "0")], ""),
    })
}

fn indexes(server: &Server) -> Indexes {
    let index = PackageIndex::new(&format!("{}/simple", server.url())).unwrap();
    let timing = Timing { silence: Duration::from_secs(10), backoff: Duration::from_millis(1) };
    Indexes::only(index).with_timing(timing)
}

fn fetch(server: &Server, folder: &Path) -> Result<(), FetchError> {
    BUNDLE.fetch(folder, &indexes(server), &mut |_, _| {})
}

/// Into a folder of its own, which is empty again where it fails.
fn fetched(server: &Server) -> Result<TempDir, FetchError> {
    let folder = tempfile::tempdir().unwrap();
    match fetch(server, folder.path()) {
        Ok(()) => {
            assert_eq!(names(folder.path()), [".checked", "LICENSE", "words.bin"]);
            assert_eq!(fs::read(folder.path().join("words.bin")).unwrap(), *WORDS);
            Ok(folder)
        }
        Err(error) => {
            assert!(names(folder.path()).is_empty(), "{error}");
            Err(error)
        }
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
