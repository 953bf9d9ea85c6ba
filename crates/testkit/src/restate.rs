//! [`RestateServer`]: a throwaway Restate server, which ends when the process that started it does.
#![allow(clippy::expect_used, clippy::panic, reason = "without an engine there is no test to run")]

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use crate::keeper::Keeper;

/// Starts and ends the server as it is told, and ends it with its own input: then whoever told it is gone.
const KEEPER: &str = r#"
server=$1 home=$2 pid=
end() {
    [ -z "$pid" ] || { kill -9 "$pid" 2>/dev/null; wait "$pid" 2>/dev/null; }
    pid=
}
trap 'end; rm -rf "$home"' EXIT
trap 'exit 1' INT TERM HUP
while read -r line; do
    case $line in
        start) "$server" --config-file "$home/restate.toml" >>"$home/log" 2>&1 </dev/null & pid=$! ;;
        crash) end ;;
    esac
    echo done
done
"#;

/// How long it may take to start on a busy machine before it is started again: a port may not be free yet.
const START: Duration = Duration::from_secs(20);
const STARTS: u32 = 5;

/// A throwaway Restate server, which `scripts/restate.sh` of this repository finds or fetches.
#[derive(Debug)]
pub struct RestateServer {
    /// Where it takes calls in.
    pub ingress: String,
    /// Where it is looked after.
    pub admin: String,
    home: PathBuf,
    keeper: Keeper,
}

impl RestateServer {
    /// One of its own.
    ///
    /// # Panics
    /// When there is no Restate; it says what to install.
    pub fn start() -> Self {
        let program = program();
        let home = std::env::temp_dir().join(format!(
            "toolwright-restate.{}.{:08x}",
            std::process::id(),
            fastrand::u32(..)
        ));
        fs::create_dir_all(&home).expect("a folder can be made");
        // All at once, so that they differ.
        let taken: Vec<_> = (0..3)
            .map(|_| TcpListener::bind("127.0.0.1:0").expect("there are free ports"))
            .collect();
        let at = |it: &TcpListener| it.local_addr().expect("it is bound").to_string();
        let addresses: Vec<_> = taken.iter().map(at).collect();
        let [node, admin, ingress] = addresses.as_slice() else { panic!("there are three") };
        fs::write(home.join("restate.toml"), config(&home, node, admin, ingress))
            .expect("it is kept");
        let mut command = Command::new("sh");
        command.args(["-c", KEEPER, "keeper", &program]).arg(&home);
        let keeper = Keeper::start(&mut command);
        let (ingress, admin) = (format!("http://{ingress}"), format!("http://{admin}"));
        let server = Self { ingress, admin, home, keeper };
        drop(taken);
        server.restart();
        server
    }

    /// Ends it with `kill -9`.
    pub fn crash(&self) {
        self.keeper.tell("crash");
    }

    /// Starts it with what it had.
    ///
    /// # Panics
    /// When it does not start.
    pub fn restart(&self) {
        for _ in 0..STARTS {
            self.keeper.tell("start");
            let began = Instant::now();
            while began.elapsed() < START {
                if is_ok(&self.ingress, "/restate/health") && is_ok(&self.admin, "/health") {
                    return;
                }
                thread::sleep(Duration::from_millis(50));
            }
            self.crash();
        }
        let log = fs::read_to_string(self.home.join("log")).unwrap_or_default();
        panic!("Restate does not start; it said:\n{log}");
    }
}

/// Where the server is.
fn program() -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/restate.sh");
    let found = Command::new("sh").arg(script).output().expect("`sh` runs scripts/restate.sh");
    let said = String::from_utf8_lossy(&found.stderr);
    assert!(found.status.success(), "there is no Restate; scripts/restate.sh said:\n{said}");
    String::from_utf8_lossy(&found.stdout).trim().to_owned()
}

fn config(home: &std::path::Path, node: &str, admin: &str, ingress: &str) -> String {
    let home = home.display();
    format!(
        r#"roles = ["http-ingress", "admin", "worker", "log-server", "metadata-server"]
node-name = "n1"
cluster-name = "test"
base-dir = "{home}/data"
bind-address = "{node}"
advertised-address = "http://{node}"
auto-provision = true
default-num-partitions = 4
disable-telemetry = true
rocksdb-total-memory-size = "128.0 MiB"
log-filter = "warn,restate=info"
log-disable-ansi-codes = true
[admin]
bind-address = "{admin}"
[ingress]
bind-address = "{ingress}"
"#
    )
}

/// Whether somebody answers there with a yes.
fn is_ok(base: &str, path: &str) -> bool {
    let host = base.trim_start_matches("http://");
    let asked = || {
        let mut stream = TcpStream::connect(host)?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")?;
        let mut head = [0; 12];
        stream.read_exact(&mut head)?;
        Ok::<_, std::io::Error>(head.ends_with(b" 200"))
    };
    asked().unwrap_or(false)
}
