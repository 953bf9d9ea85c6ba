//! [`spawn`]: starts processes from a thread that stays.
//!
//! `--die-with-parent` means the thread that started a process, not the whole of this one: a server
//! that was started from a thread that ends would be killed with it.

use std::{
    io,
    sync::{OnceLock, mpsc},
    thread,
};

use tokio::sync::oneshot;

type Work = Box<dyn FnOnce() + Send>;

/// Does it on the thread that stays. What comes of it is dropped where nobody waits any more.
pub(super) async fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let (sender, done) = oneshot::channel();
    let runtime = tokio::runtime::Handle::current();
    let work = move || {
        let _context = runtime.enter();
        let _ = sender.send(work());
    };
    let lost = || io::Error::other("the thread that starts programs is gone");
    queue()?.send(Box::new(work)).map_err(|_| lost())?;
    done.await.map_err(|_| lost())?
}

fn queue() -> io::Result<mpsc::Sender<Work>> {
    static QUEUE: OnceLock<mpsc::Sender<Work>> = OnceLock::new();
    if let Some(queue) = QUEUE.get() {
        return Ok(queue.clone());
    }
    let (sender, work) = mpsc::channel::<Work>();
    let serve = move || work.into_iter().for_each(|work| work());
    thread::Builder::new().name("toolwright-spawn".into()).spawn(serve)?;
    // Where two came at once, the thread of the second ends with its queue.
    Ok(QUEUE.get_or_init(|| sender).clone())
}
