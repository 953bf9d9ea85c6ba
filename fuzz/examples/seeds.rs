//! Writes what the fuzzer begins with, into the folder it is given:
//!
//! - `corpus/decode` and `corpus/mend`, from the cases of the dialects' tests;
//! - `corpus/judge` and `corpus/resolve`, from a few scripts and paths;
//! - `dictionary`, from the markers of the dialects' tables.

use std::{collections::BTreeSet, env, fmt::Write as _, fs, io, path::Path};

use toolwright_fuzz::{CASES, bytes};

/// Pieces that are no markers.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "```json\n", "```tool_code\n", "```\n", "{\"tool\": \"", "{\"name\": \"", "\", \"params\": {",
    "\", \"arguments\": {", "{\"tool_calls\": [", "functools[", "\nAction: ", "\nAction Input: ",
    "\nThought: ", "\nObservation:", "\nFinal Answer: ", ">>>", "all\n", " to=functions.",
    "<|message|>", "<parameter=", "<parameter name=\"", "</parameter>", "<invoke name=\"",
    "<![CDATA[", "]]>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "]<]minimax[>[",
    "<|\"|>", "<escape>", "&lt;", "&#x41;", "\\u0041", "\\ud83d", "\\ude00", "\\x41", "\\n", "\\\"",
    "\"\"\"", "'''", "True", "None", "NaN", "-Infinity", "1e999", "0x1F", "1_000", "//", "/*", "*/",
    "\u{ff5c}", "\u{2581}", "\u{e9}", "\u{1f600}", "functions.", ":0",
];

/// Scripts that look, and ways to make more of them.
#[rustfmt::skip]
const SCRIPTS: &[&str] = &[
    "ls -la src | sort | uniq -c", "git log --oneline -5", "find . -name '*.rs' -type f", "sed -n 1,5p a",
    "if [ -f a ]; then cat a; fi", "printf '%s\\n' a", "printf %n PATH; ls", "echo {PATH}>/dev/null; ls",
    "[[ -f a && -d b ]] || echo no", "(cd src && ls) 2>/dev/null", "cat <<'E'\n$(x)\nE", "coproc rm x",
    "$(echo rm) x", "tail -1 a | sh", "bash -c 'ls; rm x'", "git -c a.b=c log", "env A=b nice rm x",
];

const PATHS: &[&str] = &[
    "a/b/c",
    "a/up/../f",
    "out/passwd",
    "up/x",
    "./a//f",
    "a/b/top/in",
    "loop",
    "far/b",
    "gone/y",
    "..",
    "a/abs/x",
    "here/here/a/f",
    "a/../../x",
    "~/x",
    "a/b/../../../etc/passwd",
];

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).unwrap_or_else(|| "fuzz".to_owned());
    let folder = Path::new(&folder);
    let (decode, mend) = (folder.join("corpus/decode"), folder.join("corpus/mend"));
    fs::create_dir_all(&decode)?;
    fs::create_dir_all(&mend)?;
    for case in CASES.iter() {
        let id = case["id"].as_str().unwrap_or_default();
        for (bytes, how) in bytes(case).iter().zip(["named", "auto"]) {
            fs::write(decode.join(format!("{id}-{how}")), bytes)?;
        }
        let text = case["text"].as_str().unwrap_or_default();
        if let Some(at) = text.find(['{', '[']) {
            fs::write(mend.join(id), &text[at..])?;
        }
    }
    for (name, all) in [("judge", SCRIPTS), ("resolve", PATHS)] {
        let folder = folder.join("corpus").join(name);
        fs::create_dir_all(&folder)?;
        for (at, text) in all.iter().enumerate() {
            fs::write(folder.join(at.to_string()), text)?;
        }
    }
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/dialects/src/grammar/tables.rs");
    let mut words: BTreeSet<String> = literals(&fs::read_to_string(tables)?).into_iter().collect();
    words.extend(PIECES.iter().map(ToString::to_string));
    let mut dictionary = String::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        dictionary.push('"');
        for byte in word.bytes() {
            match byte {
                b'"' | b'\\' => write!(dictionary, "\\{}", char::from(byte)),
                b' '..=b'~' => write!(dictionary, "{}", char::from(byte)),
                _ => write!(dictionary, "\\x{byte:02X}"),
            }
            .map_err(io::Error::other)?;
        }
        dictionary.push_str("\"\n");
    }
    fs::write(folder.join("dictionary"), dictionary)
}

/// The text of every string in a piece of Rust, as a model would write the marker.
fn literals(source: &str) -> Vec<String> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n").replace("\\\"", "\u{0}");
    let text = |it: &str| it.replace('\u{0}', "\"").replace(['·', '…'], "");
    code.split('"').skip(1).step_by(2).map(text).collect()
}
