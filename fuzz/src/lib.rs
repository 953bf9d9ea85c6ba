//! What the targets share: the laws of the dialects' own tests, how bytes become a reply, and what
//! holds of every script, path, address and folder's settings.

use std::{
    env, fs,
    path::{Component, PathBuf},
    process,
    sync::LazyLock,
};

use serde_json::Value;
use toolwright_app::{PackRegistry, config::check_folder_settings};
use toolwright_dialects::{Dialect, KnownTools};
use toolwright_http::Address;
use toolwright_workspace::{
    Settings, WorkspacePack,
    internals::{self, Paths},
};

#[path = "../../crates/dialects/tests/it/laws.rs"]
pub(crate) mod laws;

use self::laws::Reply;

/// Reads these bytes as a reply; panics where a law does not hold.
pub fn decode(bytes: &[u8]) {
    if let Some((reply, seed)) = reply(bytes)
        && let Err(why) = reply.check(seed)
    {
        panic!("{why}\n{reply:#?}");
    }
}

/// Mends this text; panics where a law does not hold.
pub fn mend(text: &str) {
    if let Err(why) = laws::check_mend(text) {
        panic!("{why}\n{text:?}");
    }
}

/// Judges this script; panics where what only looks has a part that does more.
pub fn judge(script: &str) {
    if let Err(why) = internals::judge(script) {
        panic!("{why}");
    }
}

/// Reads this address; panics where it is taken for this machine and leads elsewhere.
pub fn address(text: &str) {
    for text in [text.to_owned(), format!("http://{text}"), format!("http://{text}/v1")] {
        let Ok(address) = Address::new(&text) else { continue };
        if !address.is_this_machine() {
            continue;
        }
        // Only names are looked up, and the only one that gets here is `localhost`.
        let reached = address.join("x").socket_addrs(|| None).expect("this machine is found");
        assert!(
            reached.iter().all(|it| it.ip().to_canonical().is_loopback()),
            "{text:?} leads to {reached:?}"
        );
    }
}

/// Reads this text as a folder's settings; panics where something is left that it may never set.
pub fn settings(text: &str) {
    if let Err(why) = check_folder_settings(&packs(), text) {
        panic!("{why}");
    }
}

/// Follows this path; panics where it leads outside of the workspace.
pub fn resolve(typed: &str) {
    let (root, paths) = &*PLACE;
    for typed in [typed.to_owned(), format!("{}/{typed}", root.display())] {
        let Some(found) = paths.resolve(&typed) else { continue };
        assert!(found.starts_with(root), "{typed:?} leads to {}", found.display());
        assert!(
            !found.components().any(|part| part == Component::ParentDir),
            "{typed:?} leads to {}",
            found.display()
        );
        // What there is of it is really there.
        let real = found.ancestors().find_map(|path| path.canonicalize().ok());
        assert!(real.is_some_and(|it| it.starts_with(root)), "{typed:?} leads out");
    }
}

/// A workspace with links in every direction.
static PLACE: LazyLock<(PathBuf, Paths)> = LazyLock::new(|| {
    let folder = env::temp_dir().join(format!("toolwright-fuzz-{}", process::id()));
    let root = folder.join("ws");
    fs::create_dir_all(root.join("a/b/c")).expect("a folder can be made");
    fs::write(root.join("a/f"), "").expect("a file can be written");
    for (link, to) in [
        ("out", "/etc"),
        ("up", ".."),
        ("a/up", "../.."),
        ("a/in", "b/c"),
        ("a/b/top", "../../a"),
        ("loop", "loop"),
        ("a/abs", "/tmp"),
        ("here", "."),
        ("far", "a/up/a"),
        ("gone", "nowhere/x"),
    ] {
        // It is there already where the fuzzer began again.
        let _ = std::os::unix::fs::symlink(to, root.join(link));
    }
    let root = root.canonicalize().expect("it is there");
    let settings = Settings::new(&root, folder.join("scratch"));
    let paths = Paths::open(&settings).expect("it can be opened");
    (root, paths)
});

/// The cases of the dialects' tests.
pub static CASES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let lines = include_str!("../../crates/dialects/tests/it/cases/cases.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("a case is JSON")).collect()
});

/// Every list of tools that a case offers, each once, and none at all.
static TOOLS: LazyLock<Vec<(Value, KnownTools)>> = LazyLock::new(|| {
    let mut lists = vec![Value::Array(Vec::new())];
    for case in CASES.iter() {
        if !lists.contains(&case["tools"]) {
            lists.push(case["tools"].clone());
        }
    }
    let tools = |list: Value| (list.clone(), KnownTools::from_openai(&list));
    lists.into_iter().map(tools).collect()
});

fn dialects() -> impl Iterator<Item = Dialect> {
    [Dialect::Auto].into_iter().chain(Dialect::ALL.iter().copied())
}

/// How many bytes stand before the text: dialect, tools, flags, and how it is cut.
const HEAD: usize = 4;

/// Bytes as a reply, and how to cut it.
pub(crate) fn reply(bytes: &[u8]) -> Option<(Reply, u64)> {
    let (head, text) = bytes.split_at_checked(HEAD)?;
    let count = dialects().count();
    let reply = Reply {
        dialect: dialects().nth(usize::from(head[0]) % count)?,
        tools: TOOLS[usize::from(head[1]) % TOOLS.len()].1.clone(),
        text: String::from_utf8_lossy(text).into_owned(),
        in_reasoning: head[2] & 1 != 0,
        cut_off: head[2] & 2 != 0,
    };
    Some((reply, u64::from(head[3])))
}

/// A case as bytes: as the dialect it is in, and as [`Dialect::Auto`].
pub fn bytes(case: &Value) -> [Vec<u8>; 2] {
    let dialect = case["dialect"].as_str().and_then(|name| name.parse().ok());
    let tools = TOOLS.iter().position(|(list, _)| *list == case["tools"]);
    let flags = u8::from(case["start_in_reasoning"] == true);
    let text = case["text"].as_str().unwrap_or_default();
    let small = |place: usize| u8::try_from(place).expect("there are fewer than 256");
    [dialect.unwrap_or_default(), Dialect::Auto].map(|dialect| {
        let dialect = dialects().position(|it| it == dialect).unwrap_or_default();
        let head = [small(dialect), small(tools.unwrap_or_default()), flags, 7];
        head.into_iter().chain(text.bytes()).collect()
    })
}

/// Packs with settings of every kind.
fn packs() -> PackRegistry {
    PackRegistry::new().with(WorkspacePack)
}
