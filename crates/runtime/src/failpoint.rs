//! Named moments at which a test can stop the process, to kill it there: `intent_saved`,
//! `effect_done`, … Without the feature `failpoints` there are none.

/// Reads from the environment where this process is to stop: `TOOLWRIGHT_STOP_AT=intent_saved@2`
/// stops it when that moment comes for the second time. It then writes the file named by
/// `TOOLWRIGHT_STOPPED` and waits to be killed, or for the file to be removed. At the moment that
/// `TOOLWRIGHT_PANIC_AT` names it panics: a fault of our own that nobody has to wait for.
#[cfg(feature = "failpoints")]
pub fn arm() {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    if let Ok(moment) = std::env::var("TOOLWRIGHT_PANIC_AT")
        && let Err(error) = fail::cfg(moment, "panic(a fault of a test)")
    {
        tracing::error!(error, "the moment cannot be panicked at");
    }
    let Ok(at) = std::env::var("TOOLWRIGHT_STOP_AT") else { return };
    let (moment, number) = at.split_once('@').unwrap_or((&at, "1"));
    let (moment, number) = (moment.to_owned(), number.parse().unwrap_or(1));
    let seen = AtomicUsize::new(0);
    let stop = move || {
        if seen.fetch_add(1, SeqCst) + 1 == number {
            wait(&at);
        }
    };
    if let Err(error) = fail::cfg_callback(moment, stop) {
        tracing::error!(error, "the moment cannot be stopped at");
    }
}

#[cfg(feature = "failpoints")]
fn wait(at: &str) {
    let file = std::env::var_os("TOOLWRIGHT_STOPPED").map(std::path::PathBuf::from);
    // The test waits for the file and fails without it.
    let told = file.filter(|file| std::fs::write(file, at).is_ok());
    while told.as_ref().is_none_or(|file| file.exists()) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Without the feature there is nothing to stop at.
#[cfg(not(feature = "failpoints"))]
pub fn arm() {}
