//! The floor without hyper and without a runtime: blocking sockets, a thread for each worker.

use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use anyhow::Context;
use toolwright_benches::{
    drive::Args,
    measure::{Tally, Timer, mark},
    scenario::{LOOKUP_TIME, Scenario},
};

use crate::{bodies::bodies, endpoint};

/// More than any one reply.
const BUFFER_LEN: usize = 1 << 20;
const END_OF_BODY: &[u8] = b"0\r\n\r\n";

/// As [`drive`](toolwright_benches::drive::drive), for conversations that block.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let client = Client::new(args)?;
    client.hold(args.warm_up, 1)?;
    let timer = Timer::start()?;
    let tally = client.hold(args.conversations, args.concurrency)?;
    timer.finish("floor-tcp", args, &tally)
}

struct Client<'a> {
    authority: &'a str,
    scenario: Scenario,
    /// Heads and bodies, ready to be written.
    requests: Vec<Vec<u8>>,
}

impl<'a> Client<'a> {
    fn new(args: &'a Args) -> anyhow::Result<Self> {
        let (authority, path) = endpoint(&args.base_url)?;
        let requests = bodies(args.scenario)
            .into_iter()
            .map(|body| {
                let head = format!(
                    "POST {path} HTTP/1.1\r\nhost: {authority}\r\ncontent-type: application/json\r\nauthorization: Bearer bench\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                [head.as_bytes(), &body].concat()
            })
            .collect();
        Ok(Self { authority, scenario: args.scenario, requests })
    }

    fn hold(&self, conversations: usize, concurrency: usize) -> anyhow::Result<Tally> {
        let taken = AtomicUsize::new(0);
        let worker = || -> anyhow::Result<Tally> {
            let mut socket = TcpStream::connect(self.authority).context("cannot connect")?;
            socket.set_nodelay(true)?;
            let mut buffer = vec![0; BUFFER_LEN];
            let mut tally = Tally::default();
            while taken.fetch_add(1, Ordering::Relaxed) < conversations {
                let start = Instant::now();
                self.conversation(&mut socket, &mut buffer)?;
                tally.ok += 1;
                tally.latencies.push(start.elapsed());
            }
            Ok(tally)
        };
        thread::scope(|scope| {
            let workers: Vec<_> =
                (0..concurrency.min(conversations)).map(|_| scope.spawn(worker)).collect();
            let mut total = Tally::default();
            for worker in workers {
                let tally = worker.join().map_err(|_| anyhow::anyhow!("a worker panicked"))??;
                total.add(tally);
            }
            Ok(total)
        })
    }

    fn conversation(&self, socket: &mut TcpStream, buffer: &mut [u8]) -> anyhow::Result<()> {
        for (turn, request) in self.requests.iter().enumerate() {
            if turn == 1 && self.scenario == Scenario::Parallel {
                thread::sleep(LOOKUP_TIME);
            }
            socket.write_all(request)?;
            read_reply(socket, buffer)?;
            if self.scenario == Scenario::Long && turn + 1 < self.requests.len() {
                mark();
            }
        }
        Ok(())
    }
}

fn read_reply(socket: &mut TcpStream, buffer: &mut [u8]) -> anyhow::Result<()> {
    let mut length = 0;
    loop {
        let room = buffer.get_mut(length..).filter(|room| !room.is_empty());
        let read = socket.read(room.context("the reply is too long")?)?;
        anyhow::ensure!(read > 0, "the server closed the connection");
        length += read;
        let reply = buffer.get(..length).unwrap_or_default();
        // First: a refusal has no chunked body whose end could be waited for.
        anyhow::ensure!(
            length < b"HTTP/1.1 200".len() || reply.starts_with(b"HTTP/1.1 200"),
            "the server refused the request"
        );
        if reply.ends_with(END_OF_BODY) {
            return Ok(());
        }
    }
}
