use std::fs;

use toolwright_offline::{
    LICENCE, Offline, OfflineErrorKind, pull, pulled,
    weights::{Adapter, Gguf},
};

use crate::{folder, indexes};

#[test]
fn what_is_there_is_not_fetched_again() {
    let mut heard = Vec::new();
    let path = pull(folder(), &indexes(), &mut |bytes, all| heard.push((bytes, all))).unwrap();
    assert_eq!(heard, [(92_871_040, Some(92_871_040))]);
    assert_eq!(pulled(folder()).unwrap(), path);
    let licence = fs::read_to_string(folder().join("LICENSE")).unwrap();
    assert!(licence.contains("Apache License") && LICENCE.contains("Apache-2.0"));
}

#[test]
fn weights_that_are_not_there_are_missing_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let error = Offline::open(folder.path()).unwrap_err();
    assert_eq!(error.kind, OfflineErrorKind::Missing);
    let advice = "Fetch it once (98 MB): toolwright models pull offline";
    assert_eq!(error.advice.as_deref(), Some(advice));
}

#[test]
fn weights_that_are_cut_short_are_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let name = pulled(crate::folder()).unwrap();
    let bytes = fs::read(&name).unwrap();
    let path = folder.path().join(name.file_name().unwrap());
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(Offline::open(folder.path()).unwrap_err().kind, OfflineErrorKind::Damaged);
    assert_eq!(Offline::with_weights(&path, None).unwrap_err().kind, OfflineErrorKind::Damaged);
    for length in [0, 3, 100, 5000, 1 << 20] {
        fs::write(&path, &bytes[..length]).unwrap();
        assert_eq!(Gguf::open(&path).unwrap_err().kind, OfflineErrorKind::Damaged, "{length}");
    }
}

#[test]
fn what_is_no_adapter_is_refused() {
    for bytes in [&b""[..], b"12345678", b"\x02\0\0\0\0\0\0\0{", &[255; 64]] {
        assert_eq!(Adapter::new(bytes).unwrap_err().kind, OfflineErrorKind::Damaged);
    }
    assert!(Adapter::new(b"\x02\0\0\0\0\0\0\0{}").unwrap().is_empty());
}
