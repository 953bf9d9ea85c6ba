//! A chat completions server that answers from a script.
//!
//! ```text
//! bench-server [ADDRESS] [--flush]
//! ```
//!
//! It holds no state: the name of the model says which scenario it is, and the number of tool
//! messages says how far the conversation has come. Every reply was built at start, with its HTTP
//! head and its chunked framing, and leaves in one write, so that the server costs as little and
//! as evenly as can be. With `--flush` each event leaves in a write of its own, as from a model
//! that sends token by token. A history that lacks the result of a tool is answered with 400.
//!
//! Once it listens it prints `listening on ADDRESS`; port 0 takes any free one. `GET /stats`
//! returns its counts, processor time and memory.

mod connection;
mod reply;
mod script;

use std::{
    env,
    io::{self, Write},
    rc::Rc,
};

use tokio::{
    net::TcpListener,
    runtime,
    task::{LocalSet, spawn_local},
};

use crate::{
    connection::{Server, serve},
    script::Script,
};

fn main() -> anyhow::Result<()> {
    let mut address = "127.0.0.1:8399".to_owned();
    let mut flush = false;
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--flush" => flush = true,
            option if option.starts_with('-') => anyhow::bail!("no option {option}"),
            _ => address = argument,
        }
    }
    let server = Rc::new(Server::new(Script::new(), flush));
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, async move {
        let listener = TcpListener::bind(&address).await?;
        writeln!(io::stdout(), "listening on {}", listener.local_addr()?)?;
        loop {
            let (socket, _) = listener.accept().await?;
            socket.set_nodelay(true)?;
            let server = Rc::clone(&server);
            spawn_local(async move {
                // A client that goes away in the middle concerns no other.
                let _ = serve(socket, &server).await;
            });
        }
    })
}
