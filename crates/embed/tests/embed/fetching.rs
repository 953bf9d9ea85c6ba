use std::{fs, path::Path, thread};

use toolwright_embed::{EmbedErrorKind, Local};

use crate::{folder, indexes};

/// A folder with the model's files in it.
fn copied() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for name in ["model.onnx", "tokenizer.json"] {
        fs::copy(folder().join(name), copy.path().join(name)).unwrap();
    }
    copy
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Changes one byte in the middle.
fn damage(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn fetching_leaves_the_model_its_licence_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("a/b");
    let mut heard = Vec::new();
    Local::fetch(&inner, &indexes(), &mut |bytes, all| heard.push((bytes, all))).unwrap();
    assert_eq!(names(&inner), [".checked", "LICENSE", "model.onnx", "tokenizer.json"]);
    assert!(fs::read_to_string(inner.join("LICENSE")).unwrap().contains("Apache License"));
    assert_eq!(heard.first().map(|it| it.0), Some(0));
    let (bytes, all) = *heard.last().unwrap();
    assert_eq!(Some(bytes), all);
    Local::open(&inner).unwrap();

    let before = fs::metadata(inner.join("model.onnx")).unwrap().modified().unwrap();
    Local::fetch(&inner, &indexes(), &mut |_, _| {}).unwrap();
    let after = fs::metadata(inner.join("model.onnx")).unwrap().modified().unwrap();
    assert_eq!(before, after, "what is there is not fetched again");
    assert_eq!(names(&inner), [".checked", "LICENSE", "model.onnx", "tokenizer.json"]);
}

#[test]
fn two_at_once_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    thread::scope(|scope| {
        let two = [(); 2]
            .map(|()| scope.spawn(|| Local::fetch(folder.path(), &indexes(), &mut |_, _| {})));
        two.into_iter().for_each(|it| it.join().unwrap().unwrap());
    });
    assert_eq!(names(folder.path()), [".checked", "LICENSE", "model.onnx", "tokenizer.json"]);
    Local::open(folder.path()).unwrap();
}

#[test]
fn a_model_that_is_not_there_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let error = Local::open(folder.path().join("nowhere")).unwrap_err();
    assert_eq!(error.kind, EmbedErrorKind::Missing);
    assert!(error.advice.unwrap().contains("Fetch it"));
}

#[test]
fn a_damaged_file_is_found_and_fetched_again() {
    for name in ["model.onnx", "tokenizer.json"] {
        let copy = copied();
        Local::open(copy.path()).unwrap();
        damage(&copy.path().join(name));
        for _ in 0..2 {
            let error = Local::open(copy.path()).unwrap_err();
            assert_eq!(error.kind, EmbedErrorKind::Damaged, "{error}");
            assert!(error.message.contains(name) && error.advice.is_some(), "{error}");
        }
    }
    let copy = copied();
    fs::write(copy.path().join("tokenizer.json"), "{}").unwrap();
    assert_eq!(Local::open(copy.path()).unwrap_err().kind, EmbedErrorKind::Damaged);
    Local::fetch(copy.path(), &indexes(), &mut |_, _| {}).unwrap();
    Local::open(copy.path()).unwrap();
}

#[test]
fn a_verdict_for_another_file_is_no_verdict() {
    let copy = copied();
    Local::open(copy.path()).unwrap();
    let verdicts = fs::read_to_string(copy.path().join(".checked")).unwrap();
    assert_eq!(verdicts.lines().count(), 2);
    damage(&copy.path().join("tokenizer.json"));
    fs::write(copy.path().join(".checked"), verdicts).unwrap();
    assert_eq!(Local::open(copy.path()).unwrap_err().kind, EmbedErrorKind::Damaged);
}

#[test]
fn a_folder_that_is_a_file_is_told() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = Local::fetch(file.path(), &indexes(), &mut |_, _| {}).unwrap_err();
    assert_eq!(error.kind, EmbedErrorKind::Missing);
    assert!(error.message.contains("cannot be written to"), "{error}");
}
