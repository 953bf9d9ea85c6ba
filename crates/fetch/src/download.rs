//! [`Download`]: one file of known size and sum, over a line that may break.
//!
//! What came before the line broke stays in the file, and the next attempt asks for the rest. Servers are not
//! believed: not about sizes, not about ranges, and the bytes are compared with the sum at the end.

use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    time::Duration,
};

use http::{
    HeaderValue, StatusCode,
    header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_RANGE, RANGE},
};
use toolwright_http::{Client, HttpError, Response, Url};
use toolwright_timeout::timeout;

use crate::{Timing, part::is_right, trouble::Trouble};

/// So often is asked in a row without a single byte.
const MOST_FUTILE: u32 = 5;
/// So often is asked in all.
const MOST: u32 = 500;

/// One file of known size and sum.
pub(crate) struct Download<'a> {
    pub(crate) http: &'a Client,
    pub(crate) url: Url,
    pub(crate) bytes: u64,
    pub(crate) sum: &'a str,
    pub(crate) timing: Timing,
}

impl Download<'_> {
    /// Completes the file, whatever part of it is there.
    pub(crate) async fn complete(
        &self,
        file: &mut File,
        tell: &mut dyn FnMut(u64),
    ) -> Result<(), Trouble> {
        let (mut futile, mut has_restarted) = (0, false);
        for _ in 0..MOST {
            let had = file.metadata()?.len();
            let trouble = match self.attempt(file, tell).await {
                Ok(()) if is_right(file, self.bytes, self.sum)? => return Ok(()),
                Ok(()) => {
                    file.set_len(0)?;
                    // The part that was there may have been of something else: once more, from the start.
                    if had == 0 || has_restarted {
                        let message = format!("what {} sent has a wrong checksum", self.host());
                        return Err(Trouble::Wrong(message));
                    }
                    has_restarted = true;
                    continue;
                }
                Err(trouble) => trouble,
            };
            let Trouble::Passing(_, asked) = &trouble else {
                // What is there is of something else, or worth nothing without the rest.
                file.set_len(0)?;
                return Err(trouble);
            };
            futile = if file.metadata()?.len() > had { 0 } else { futile + 1 };
            if futile == MOST_FUTILE {
                return Err(trouble);
            }
            tokio::time::sleep(asked.unwrap_or_else(|| self.backoff(futile))).await;
        }
        Err(Trouble::passing(format!("{} broke off too often", self.host())))
    }

    /// Asks once for what is missing.
    async fn attempt(&self, file: &mut File, tell: &mut dyn FnMut(u64)) -> Result<(), Trouble> {
        let mut held = file.metadata()?.len();
        if held > self.bytes {
            file.set_len(0)?;
            held = 0;
        }
        tell(held);
        if held == self.bytes {
            return Ok(());
        }
        let identity = HeaderValue::from_static("identity");
        let mut request = self.http.get(self.url.clone()).header(ACCEPT_ENCODING, identity);
        if held > 0
            && let Ok(range) = HeaderValue::from_str(&format!("bytes={held}-"))
        {
            request = request.header(RANGE, range);
        }
        let response = self.within(request.send()).await?;
        if !self.resumes(&response, held)? {
            file.set_len(0)?;
            held = 0;
            if response.status() != StatusCode::OK {
                return Err(Trouble::passing(format!("{} sent another part", self.host())));
            }
        }
        file.seek(SeekFrom::Start(held))?;
        self.copy(response, file, held, tell).await
    }

    /// Whether the answer is the rest of what is held; an error where it is none of the file at all.
    fn resumes(&self, response: &Response, held: u64) -> Result<bool, Trouble> {
        let encoding = response.headers().get(CONTENT_ENCODING);
        if encoding.is_some_and(|it| it.as_bytes() != b"identity") {
            return Err(Trouble::Wrong(format!("{} sends the file in another form", self.host())));
        }
        let length = response.content_length();
        match response.status() {
            StatusCode::OK => match length.filter(|it| *it != self.bytes) {
                Some(other) => Err(self.other_size(other)),
                None => Ok(held == 0),
            },
            StatusCode::PARTIAL_CONTENT => {
                let range = response.headers().get(CONTENT_RANGE).and_then(|it| it.to_str().ok());
                let Some((start, all)) = range.and_then(range_of) else { return Ok(false) };
                match all.filter(|it| *it != self.bytes) {
                    Some(other) => Err(self.other_size(other)),
                    None => Ok(start == held && length.is_none_or(|it| it <= self.bytes - held)),
                }
            }
            StatusCode::RANGE_NOT_SATISFIABLE => Ok(false),
            _ => Err(Trouble::status(&self.host(), response)),
        }
    }

    async fn copy(
        &self,
        mut response: Response,
        file: &mut File,
        mut held: u64,
        tell: &mut dyn FnMut(u64),
    ) -> Result<(), Trouble> {
        while let Some(piece) = self.within(response.chunk()).await? {
            held += piece.len() as u64;
            if held > self.bytes {
                file.set_len(0)?;
                return Err(self.other_size(held));
            }
            file.write_all(&piece)?;
            tell(held);
        }
        if held < self.bytes {
            return Err(Trouble::passing(format!("{} ended the file too early", self.host())));
        }
        file.sync_all()?;
        Ok(())
    }

    /// What comes within the time that may pass without a byte.
    async fn within<T>(
        &self,
        work: impl Future<Output = Result<T, HttpError>>,
    ) -> Result<T, Trouble> {
        let done = timeout(self.timing.silence, work).await;
        let done = done.map_err(|_| Trouble::silent(&self.host(), self.timing.silence))?;
        done.map_err(|error| Trouble::broken(&self.host(), &error))
    }

    fn other_size(&self, other: u64) -> Trouble {
        let (host, bytes) = (self.host(), self.bytes);
        let than = if other > bytes { "at least " } else { "" };
        Trouble::Wrong(format!("{host} has {than}{other} bytes where {bytes} are expected"))
    }

    fn backoff(&self, futile: u32) -> Duration {
        self.timing.backoff.saturating_mul(2_u32.saturating_pow(futile.saturating_sub(1)))
    }

    fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }
}

/// Where a part begins, and how long the whole is: `bytes 5-9/10`.
fn range_of(text: &str) -> Option<(u64, Option<u64>)> {
    let (part, all) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
    let (start, _) = part.split_once('-')?;
    let all = if all.trim() == "*" { None } else { Some(all.trim().parse().ok()?) };
    Some((start.trim().parse().ok()?, all))
}

/// Runs a future to its end on a thread of its own, whatever the caller's thread is in the middle of. What it
/// tells is told on the caller's thread.
pub(crate) fn on_own_thread<T: Send>(
    tell: &mut dyn FnMut(u64),
    work: impl AsyncFnOnce(&mut dyn FnMut(u64)) -> Result<T, Trouble> + Send,
) -> Result<T, Trouble> {
    let (tells, heard) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let working = scope.spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            // Nobody listening is no reason to stop: then nobody waits either.
            runtime.block_on(work(&mut |bytes| {
                let _ = tells.send(bytes);
            }))
        });
        heard.iter().for_each(tell);
        let failed = |_| Trouble::Disk(io::Error::other("the download failed unexpectedly"));
        working.join().map_err(failed)?
    })
}
