//! [`Bar`]: how far a long piece of work has come; only on a terminal.

use std::{
    borrow::Cow,
    io::{self, IsTerminal},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

/// How far a long piece of work has come.
pub(crate) struct Bar(Option<ProgressBar>);

impl Bar {
    /// Of work that is counted in things.
    #[cfg(feature = "watch")]
    pub(crate) fn of_things(what: &'static str) -> Self {
        Self::new(what, "{msg} {wide_bar} {human_pos}/{human_len} {eta}")
    }

    /// Of work that is counted in bytes.
    pub(crate) fn of_bytes(what: impl Into<Cow<'static, str>>) -> Self {
        Self::new(what, "{msg} {wide_bar} {bytes}/{total_bytes} {eta}")
    }

    fn new(what: impl Into<Cow<'static, str>>, form: &str) -> Self {
        if !io::stderr().is_terminal() {
            return Self(None);
        }
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(Some(bar))
    }

    pub(crate) fn set(&mut self, done: u64, all: Option<u64>) {
        if let Some(bar) = &self.0 {
            if let Some(all) = all {
                bar.set_length(all);
            }
            bar.set_position(done);
        }
    }

    pub(crate) fn end(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
