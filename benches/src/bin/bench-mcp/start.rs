//! From the spawn of `toolwright ask` to its request, with servers that are yet to start.

use std::{
    fmt::Write as _,
    fs,
    io::{ErrorKind, Read, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use toolwright::tool::ToolSource;
use toolwright_mcp::client::{
    McpServer, McpServerConfig, McpTransport, PinStore, StdioCommand, ToolDefinition,
};

use crate::{Programs, median, verdict};

const SERVERS: usize = 50;
const TOOLS: usize = 20;
const SPAWNS: usize = 15;
/// From the spawn to the first byte of the request, in ms.
const GOAL: f64 = 50.0;
/// Far above any right start.
const PATIENCE: Duration = Duration::from_secs(60);

const ANSWER: &str = concat!(
    r#"data: {"id":"c","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"#,
    r#""delta":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}"#,
    "\n\ndata: [DONE]\n\n"
);

/// A folder with settings and approvals, and who plays the model.
struct Desk<'a> {
    programs: &'a Programs,
    folder: PathBuf,
    model: TcpListener,
}

/// When the request came, and how large it was.
struct Asked {
    ms: f64,
    bytes: usize,
}

pub(crate) fn many(programs: &Programs) -> Result<()> {
    println!("\n### {SERVERS} servers with {TOOLS} tools each, approved\n");
    println!("| `toolwright ask`, of {SPAWNS} | first byte, min ms | median ms | request | goal |");
    println!("|---|---|---|---|---|");
    let desk = Desk::new(programs)?;
    let listed = desk.listed()?;
    let rows = [
        ("no servers", 0, ""),
        ("all of them, tools chosen by the question", SERVERS, ""),
        ("all of them, all tools", SERVERS, "[context]\ntools = 100000\n"),
    ];
    for (name, servers, settings) in rows {
        let mut text = settings.to_owned();
        for number in 0..servers {
            desk.describe(&mut text, number, 0);
            desk.approve(number, &listed)?;
        }
        let asked = desk.measure(&text, SPAWNS)?;
        let (least, usual) = ms(&asked);
        let bytes = asked.first().map_or(0, |it| it.bytes);
        let goal = match settings.is_empty() {
            true => format!("≤ {GOAL:.0} ms: {}", verdict(least, GOAL)),
            false => String::new(),
        };
        println!("| {name} | {least:.1} | {usual:.1} | {:.1} KB | {goal} |", bytes as f64 / 1e3);
    }
    Ok(())
}

pub(crate) fn slow(programs: &Programs) -> Result<()> {
    println!("\n### A server that takes 3 s to start\n");
    println!("| `toolwright ask` | first byte, ms |\n|---|---|");
    let desk = Desk::new(programs)?;
    let listed = desk.listed()?;
    let mut text = String::new();
    desk.describe(&mut text, 0, 3_000);
    let shorter = format!("[context]\nsource_wait = \"500ms\"\n{text}");
    let row = |name: &str, text: &str| -> Result<()> {
        let (least, _) = ms(&desk.measure(text, 1)?);
        println!("| {name} | {least:.0} |");
        Ok(())
    };
    row("nothing of it approved: it is waited for, as somebody has to be told", &text)?;
    row("the same, `context.source_wait = \"500ms\"`", &shorter)?;
    desk.approve(0, &listed)?;
    row("its tools approved: they are offered, a call waits", &text)
}

fn ms(asked: &[Asked]) -> (f64, f64) {
    let all = || asked.iter().map(|it| it.ms);
    (all().fold(f64::MAX, f64::min), median(all().collect()))
}

impl<'a> Desk<'a> {
    fn new(programs: &'a Programs) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("bench-mcp-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let model = TcpListener::bind("127.0.0.1:0")?;
        // Whoever never asks must not hang the rest.
        model.set_nonblocking(true)?;
        Ok(Self { programs, folder, model })
    }

    fn server(&self) -> String {
        self.programs.server.to_string_lossy().into_owned()
    }

    fn describe(&self, text: &mut String, number: usize, delay: u64) {
        let server = self.server();
        let _ = writeln!(
            text,
            "[mcp.s{number}]\ncommand = {server:?}\nargs = [\"{TOOLS}\", \"{delay}\"]\nsandbox = false"
        );
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn approve(&self, number: usize, listed: &[ToolDefinition]) -> Result<()> {
        let pins = PinStore::in_folder(&self.data());
        Ok(pins.approve(&format!("s{number}"), listed)?)
    }

    /// What every server lists.
    fn listed(&self) -> Result<Vec<ToolDefinition>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let (program, args) = (self.server(), vec![TOOLS.to_string()]);
            let command = StdioCommand { program, args, ..StdioCommand::default() };
            let config = McpServerConfig::new("s", McpTransport::Stdio(command));
            let server = McpServer::new(config, PinStore::in_folder(&self.data()));
            server.ready().await;
            let listed = server.definitions();
            ensure!(listed.len() == TOOLS, "it lists {} tools: {:?}", listed.len(), server.state());
            Ok(listed)
        })
    }

    /// Asks so many times with these settings, and once before, which does not count.
    fn measure(&self, settings: &str, spawns: usize) -> Result<Vec<Asked>> {
        fs::write(self.folder.join("toolwright.toml"), settings)?;
        if spawns > 1 {
            self.ask()?;
        }
        (0..spawns).map(|_| self.ask()).collect()
    }

    fn ask(&self) -> Result<Asked> {
        let begun = Instant::now();
        let mut child = self.spawn()?;
        let asked = self.request(begun);
        if asked.is_err() {
            child.kill()?;
        }
        let ended = child.wait()?;
        let asked = asked?;
        ensure!(ended.success(), "toolwright ended with {ended}");
        Ok(asked)
    }

    fn spawn(&self) -> Result<Child> {
        let address = self.model.local_addr()?;
        let command = Command::new(&self.programs.toolwright)
            .arg("--config")
            .arg(self.folder.join("toolwright.toml"))
            .arg("--data")
            .arg(self.data())
            .args(["ask", "List the open issues of ann."])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.folder)
            .env("OPENAI_API_BASE", format!("http://{address}/v1"))
            .env("OPENAI_API_KEY", "none")
            .env("TOOLWRIGHT_MODEL", "bench")
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        command.context("toolwright does not start")
    }

    fn accepted(&self, begun: Instant) -> Result<TcpStream> {
        loop {
            match self.model.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false)?;
                    return Ok(stream);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    ensure!(begun.elapsed() < PATIENCE, "nothing was asked in {PATIENCE:?}");
                    std::thread::sleep(Duration::from_micros(100));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Waits for the question, and answers it.
    fn request(&self, begun: Instant) -> Result<Asked> {
        loop {
            let mut stream = self.accepted(begun)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            let mut first = [0];
            if stream.read(&mut first)? == 0 {
                continue;
            }
            let ms = begun.elapsed().as_secs_f64() * 1e3;
            let (head, bytes) = read(&mut stream, first[0])?;
            let is_question = head.contains("/chat/completions");
            let (status, body) =
                if is_question { ("200 OK", ANSWER) } else { ("404 Not Found", "") };
            write!(
                stream,
                "HTTP/1.1 {status}\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\
                 connection: close\r\n\r\n{body}",
                body.len()
            )?;
            if is_question {
                return Ok(Asked { ms, bytes });
            }
        }
    }
}

impl Drop for Desk<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The head of a request, and how large its body is.
fn read(stream: &mut TcpStream, first: u8) -> Result<(String, usize)> {
    let mut text = vec![first];
    let mut piece = vec![0; 64 << 10];
    let head = loop {
        let read = stream.read(&mut piece)?;
        ensure!(read > 0, "the request has no end");
        text.extend_from_slice(piece.get(..read).unwrap_or_default());
        if let Some(end) = text.windows(4).position(|it| it == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let said = String::from_utf8_lossy(text.get(..head).unwrap_or_default()).to_lowercase();
    let length = said.lines().find_map(|it| it.strip_prefix("content-length:"));
    let Some(length) = length else { bail!("the request does not say how long it is") };
    let length: usize = length.trim().parse()?;
    while text.len() < head + length {
        let read = stream.read(&mut piece)?;
        ensure!(read > 0, "the request has no end");
        text.extend_from_slice(piece.get(..read).unwrap_or_default());
    }
    Ok((said, length))
}
