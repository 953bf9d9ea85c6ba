//! [`Wire`]: the way to a database, which can go silent: what is sent then is kept, and nobody is told anything.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

/// The way to a database.
pub(crate) struct Wire {
    pub(crate) address: String,
    passes: watch::Sender<bool>,
}

impl Wire {
    /// To a server that is reached through a socket in a folder.
    pub(crate) async fn lay(to: &str) -> Self {
        let words: Vec<&str> = to.split(' ').collect();
        let folder = words.iter().find_map(|word| word.strip_prefix("host=")).unwrap();
        let socket = format!("{folder}/.s.PGSQL.5432");
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let rest = words.iter().filter(|it| !it.starts_with("host=") && !it.starts_with("port="));
        let rest: Vec<&str> = rest.copied().collect();
        let address = format!("host=127.0.0.1 port={port} {}", rest.join(" "));
        let (passes, may_pass) = watch::channel(true);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(connect(near, socket.clone(), may_pass.clone()));
            }
        });
        Self { address, passes }
    }

    pub(crate) fn silence(&self) {
        self.passes.send_replace(false);
    }

    pub(crate) fn speak(&self) {
        self.passes.send_replace(true);
    }
}

async fn connect(near: TcpStream, socket: String, mut passes: watch::Receiver<bool>) {
    let _ = passes.wait_for(|it| *it).await;
    let Ok(far) = UnixStream::connect(socket).await else { return };
    let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
    tokio::join!(pass_on(near_in, far_out, passes.clone()), pass_on(far_in, near_out, passes));
}

async fn pass_on(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut passes: watch::Receiver<bool>,
) {
    let mut bytes = vec![0; 65_536];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        let _ = passes.wait_for(|it| *it).await;
        if to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
    let _ = passes.wait_for(|it| *it).await;
    let _ = to.shutdown().await;
}
