//! H1, the exception: a program of the same user on the same machine needs no token; and only of the
//! same.

use std::{
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    process::Stdio,
    thread,
    time::Duration,
};

use rustix::{net::sockopt::set_socket_linger, process::Uid, thread::set_thread_res_uid};
use serde_json::json;
use tokio::process::Command;
use toolwright_server::AuthMode;
use toolwright_testkit::{NOBODY, is_root};

use crate::harness::{Desk, Request, Setup};

pub(crate) async fn curl(arguments: &[&str]) -> String {
    output("curl", arguments).await
}

async fn output(program: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    let done = command.args(arguments).stdin(Stdio::null()).output().await.unwrap();
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// What `curl`, started in this way, is answered with.
async fn status(desk: &Desk, before: &[&str]) -> String {
    let url = format!("http://{}/api/info", desk.address);
    let all = [before, &["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", &url]].concat();
    output(all[0], &all[1..]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_of_the_same_user_just_work() {
    let desk = Desk::demo().await;
    assert_eq!(desk.get("/api/info").await.status, 200);
    assert_eq!(status(&desk, &["env"]).await, "200");
}

/// Programs that have our user's rights, or a connection that our user made, and are somebody else's.
#[tokio::test(flavor = "multi_thread")]
async fn programs_that_only_look_like_ours_are_strangers() {
    if !is_root() {
        return; // Nobody else can be played.
    }
    let desk = Desk::demo().await;
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    assert_eq!(status(&desk, &other).await, "401", "another account");
    // As a program is that belongs to root and everybody may start.
    assert_eq!(status(&desk, &["setpriv", "--ruid=65534"]).await, "401", "set-user-ID");
    for namespace in [&["unshare", "-U", "-r"][..], &["unshare", "-p", "-f"]] {
        // Not every machine lets namespaces be made.
        if output(namespace[0], &[&namespace[1..], &["echo", "ok"]].concat()).await == "ok\n" {
            assert_eq!(status(&desk, namespace).await, "401", "{namespace:?}");
        }
    }
    // Opened by us, and left to somebody else.
    let (host, port) = (desk.address.ip(), desk.address.port());
    let asks = format!("GET /api/info HTTP/1.1\\r\\nHost: {host}:{port}\\r\\nConnection: close");
    let script = format!(
        "exec 3<>/dev/tcp/{host}/{port}; exec {} sh -c 'printf \"{asks}\\r\\n\\r\\n\" >&3; cat <&3'",
        other.join(" ")
    );
    let said = output("bash", &["-c", &script]).await;
    assert!(said.starts_with("HTTP/1.1 401"), "{said}");
}

/// How somebody leaves who does not want to be known.
#[derive(Clone, Copy, Debug)]
enum Leaving {
    Closes,
    Resets,
    ClosesUnread,
    HalfCloses,
}

/// Asks and leaves, again and again, as another account does.
fn ask_and_leave(address: SocketAddr, how: Leaving, times: usize) {
    let body = json!({"message": "A tip on $10?"});
    let request = Request::new("POST", "/api/chat/stream").json(&body).bytes(address);
    // For this thread alone: its sockets are the other account's.
    let other = Uid::from_raw(NOBODY);
    set_thread_res_uid(other, other, other).unwrap();
    for _ in 0..times {
        let Ok(mut stream) = TcpStream::connect(address) else { continue };
        if matches!(how, Leaving::Resets) {
            set_socket_linger(&stream, Some(Duration::ZERO)).unwrap();
        }
        let _ = stream.write_all(&request);
        match how {
            Leaving::Closes | Leaving::Resets => {}
            Leaving::ClosesUnread => drop(stream.peek(&mut [0; 1])),
            Leaving::HalfCloses => {
                let _ = stream.shutdown(Shutdown::Write);
                let _ = stream.read(&mut [0; 64]);
            }
        }
    }
}

/// A connection that its owner closed is listed as root's, or not at all: whose it was is not known,
/// and its port may be somebody else's by now.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_becomes_root_by_leaving_early() {
    if !is_root() {
        return; // Nobody else can be played.
    }
    let desk = Desk::demo().await;
    let address = desk.address;
    let ways = [Leaving::Closes, Leaving::Resets, Leaving::ClosesUnread, Leaving::HalfCloses];
    let attackers = ways.map(|how| {
        tokio::task::spawn_blocking(move || {
            // A thread of its own: the others keep their user.
            thread::spawn(move || ask_and_leave(address, how, 1_000)).join().unwrap();
        })
    });
    // Meanwhile we ask, too, from whatever port is free.
    for _ in 0..200 {
        assert_eq!(desk.get("/api/info").await.status, 200);
    }
    for attacker in attackers {
        attacker.await.unwrap();
    }
    assert_eq!(desk.get("/api/conversations").await.json()["conversations"], json!([]));
}

/// The socket in the data folder.
#[tokio::test(flavor = "multi_thread")]
async fn the_local_socket_is_for_the_same_user_alone() {
    let desk = Desk::demo().await;
    let path = desk.socket();
    let mode = |path: &Path| path.metadata().unwrap().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    let socket = path.to_str().unwrap().to_owned();
    let asks = ["-s", "-w", " %{http_code}", "--unix-socket", &socket];
    let ask = async |url: &str, more: &[&str]| curl(&[&asks[..], more, &[url]].concat()).await;
    assert!(ask("http://localhost/api/info", &[]).await.ends_with(" 200"));
    let body = r#"{"message": "A tip on $10?"}"#;
    let json = ["-N", "-H", "Content-Type: application/json", "-d", body];
    let answer = ask("http://localhost/api/chat/stream", &json).await;
    assert!(answer.contains(r#""type":"done""#), "{answer}");
    // Whoever asks here for others is no program of the user's.
    for more in ["Origin: https://evil.example", "Host: evil.example"] {
        let answer = ask("http://localhost/api/info", &["-H", more]).await;
        assert!(answer.ends_with(" 403"), "{more}: {answer}");
    }
    let answer = ask("http://localhost/api/info", &["-H", "X-Forwarded-For: 1.2.3.4"]).await;
    assert!(answer.ends_with(" 401"), "{answer}");
    if is_root() {
        // Even where the file system would let somebody else in, the kernel tells who it is.
        let everybody = std::fs::Permissions::from_mode(0o777);
        for open in [&path, path.parent().unwrap(), &desk.data(), desk.folder.path()] {
            std::fs::set_permissions(open, everybody.clone()).unwrap();
        }
        let url = "http://localhost/api/info";
        let other = ["--reuid=65534", "--regid=65534", "--clear-groups", "curl"];
        let answer = output("setpriv", &[&other[..], &asks[..], &[url]].concat()).await;
        assert_eq!(answer, " 000");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_local_socket_comes_and_goes_with_the_server() {
    let mut desk = Desk::demo().await;
    let path = desk.socket();
    assert!(path.exists());
    desk.stop().await;
    assert!(!path.exists());
    let strict = Desk::start(Setup { auth: AuthMode::Token, ..Setup::default() }, None).await;
    assert!(!strict.socket().exists(), "nobody comes in without the token");
}
