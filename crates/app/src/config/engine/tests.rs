//! What cannot be meant is refused, for every key of the section.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::{collections::BTreeSet, fs};

use tempfile::TempDir;

use super::super::{Config, trust::KEYS};
use super::*;
use crate::PackRegistry;

/// Each key, what is refused of it, and what is taken: the least and the most.
const VALUES: &[(&str, &[&str], &[&str])] = &[
    ("engine.kind", &["\"temporal\"", "\"\""], &["\"local\"", "\"restate\""]),
    ("engine.ingress", &["\"127.0.0.1:8080\"", "\"http://a:b@c\""], &["\"http://a:1\""]),
    ("engine.admin", &["\"nowhere\"", "\"\""], &["\"none\"", "\"https://a\""]),
    ("engine.worker", &["\"9080\"", "\"\""], &["\"0.0.0.0:9080\""]),
    ("engine.slice_rounds", &["0", "1001", "-1"], &["1", "1000"]),
    ("engine.decision_timeout", &["\"0s\"", "\"999ms\"", "\"8761h\""], &["\"1s\"", "\"8760h\""]),
    ("engine.grace", &["\"0s\"", "\"999ms\"", "\"31s\""], &["\"1s\"", "\"30s\""]),
    ("engine.drain", &["\"0s\"", "\"999ms\"", "\"25h\""], &["\"1s\"", "\"24h\""]),
    ("server.drain_delay", &["\"0s\"", "\"601s\""], &["\"1ms\"", "\"10m\""]),
];

fn load(key: &str, value: &str) -> Result<Config, AppError> {
    let data = TempDir::new().unwrap();
    let file = data.path().join("toolwright.toml");
    let (section, key) = key.split_once('.').unwrap();
    fs::write(&file, format!("[{section}]\n{key} = {value}\n")).unwrap();
    let (config, folder) = (Some(file), Some(data.path().to_owned()));
    let flags = Flags { data: folder, config, ..Flags::default() };
    Config::load_from(&PackRegistry::new().with(toolwright_demo::DemoPack), &flags, &|_| None)
}

#[test]
fn what_cannot_be_meant_is_refused_with_the_key_and_the_reason() {
    for (key, refused, taken) in VALUES {
        for value in *refused {
            let Err(error) = load(key, value) else { panic!("{key} = {value} is taken") };
            let (said, name) = (error.to_string(), key.rsplit('.').next().unwrap_or_default());
            // What is no such value at all is told with its line.
            let is_told = said.contains(name) || said.contains("line 2");
            assert!(is_told, "{key} = {value}: {said}");
        }
        for value in *taken {
            load(key, value).unwrap_or_else(|error| panic!("{key} = {value}: {error}"));
        }
    }
    let said = load("engine.ingress", "\"http://u:hunter2@h/x\"").unwrap_err().to_string();
    assert!(
        said.contains("engine.ingress is set to `http://h/x`") && !said.contains("hunter2"),
        "{said}"
    );
    let said = load("engine.grace", "\"1m\"").unwrap_err().to_string();
    assert!(said.contains("use 1s to 30s"), "{said}");
    for rounds in ["0", "-1", "1001", "4294967296"] {
        let said = load("engine.slice_rounds", rounds).unwrap_err().to_string();
        assert!(said.contains("use 1 to 1000"), "{said}");
    }
}

#[test]
fn every_key_of_the_section_is_tried() {
    let tried: BTreeSet<_> = VALUES.iter().map(|(key, ..)| *key).collect();
    let all = KEYS.iter().map(|key| key.name).filter(|it| it.starts_with("engine."));
    let missing: Vec<_> = all.filter(|it| !tried.contains(it)).collect();
    assert!(missing.is_empty(), "nobody tried {missing:?}");
}
