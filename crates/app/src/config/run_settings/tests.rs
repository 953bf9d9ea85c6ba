use super::*;
use crate::PackRegistry;

fn config(file: &str) -> Config {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.toml");
    std::fs::write(&path, file).unwrap();
    let home = folder.path().to_str().unwrap().to_owned();
    let flags =
        Flags { config: Some(path), data: Some(folder.path().join("data")), ..Flags::default() };
    let env = |name: &str| (name == "HOME").then(|| home.clone());
    Config::load_from(&PackRegistry::new(), &flags, &env).unwrap()
}

/// Every one of them is another than the usual one.
const OTHERS: &str = r#"
    time_zone = "Asia/Kolkata"
    review = "replace"
    single_shot = true
    [model]
    base_url = "http://127.0.0.1:9/v1"
    api_key = "secret-secret"
    name = "first,second"
    tool_mode = "text"
    dialect = "hermes"
    judge = "third"
    idle_timeout = "7s"
    input_price = 1.0
    output_price = 2.0
    accepts = ["pdf"]
    output_strategy = "prompt"
    [model.options]
    temperature = 0.25
    seed = 7
    headers = { x-key = "secret-header" }
    [limits]
    rounds = 3
    calls = 4
    tokens = 5000
    cost = 0.5
    wall_clock = "61s"
    tool_timeout = "7s"
    agent_depth = 1
    parallel_agents = 1
    [context]
    window = 9000
    result = 800
    tools = 5
"#;

/// The fields by their paths.
fn leaves(value: &serde_json::Value, at: &str, all: &mut BTreeMap<String, String>) {
    match value {
        serde_json::Value::Object(map) => {
            map.iter().for_each(|(key, it)| leaves(it, &format!("{at}.{key}"), all));
        }
        it => drop(all.insert(at.to_owned(), it.to_string())),
    }
}

#[test]
fn whoever_drives_has_what_whoever_was_asked_had() {
    let (mut here, there) = (config(""), config(OTHERS));
    let (usual, set) = (RunSettings::of(&here), RunSettings::of(&there));
    let text = serde_json::to_string(&set).unwrap();
    assert!(!text.contains("secret"), "keys stay where they are: {text}");
    let travelled: RunSettings = serde_json::from_str(&text).unwrap();
    travelled.apply(&mut here).unwrap();
    assert_eq!(RunSettings::of(&here), set);
    assert_eq!(here.model.base_url.value, None, "where models are is the driver's own");

    // And back: what nobody set where it was asked is not set by whoever drives either.
    let mut there = there;
    usual.apply(&mut there).unwrap();
    assert_eq!(RunSettings::of(&there), usual);
    assert_eq!(there.model.options.value.headers["x-key"], "secret-header");
}

/// The one above says something about each of them.
#[test]
fn every_setting_is_another_one_there() {
    let told = |settings: &RunSettings| {
        let mut all = BTreeMap::new();
        leaves(&serde_json::to_value(settings).unwrap(), "", &mut all);
        all
    };
    let usual = told(&RunSettings::of(&config("")));
    let set = told(&RunSettings::of(&config(OTHERS)));
    // Of a task, of no setting, or of packs, which this has none of.
    let excused =
        [".one_at_a_time", ".window.compact_at", ".window.keep", ".window.lines", ".folders"];
    let same = usual.iter().filter(|(key, it)| set.get(*key) == Some(it)).map(|it| it.0.as_str());
    let is_tried = |it: &&str| !excused.contains(it) && !it.ends_with(".nanos");
    let same: Vec<_> = same.filter(is_tried).collect();
    assert!(same.is_empty(), "not tried: {same:?}");
}
