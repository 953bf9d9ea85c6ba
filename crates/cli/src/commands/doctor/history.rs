//! What there is of the watch history, and whether it can be searched by meaning.

use toolwright_app::Config;
use toolwright_core::plural;
use toolwright_watch::{Library, grouped};

use super::{Check, State};

pub(super) async fn checks(config: &Config) -> Vec<Check> {
    let name = "watch history";
    // Looking must not make one.
    if !config.watch_folder().exists() {
        return vec![Check::good(name, "nothing was imported yet, so a sample answers")];
    }
    let figures = Library::open(&config.watch_folder()).and_then(|library| library.statistics());
    let figures = match figures {
        Ok(figures) if figures.videos == 0 => {
            return vec![Check::good(name, "nothing was imported yet, so a sample answers")];
        }
        Ok(figures) => figures,
        Err(error) => {
            let (says, advice) = (error.to_string(), error.advice);
            return vec![Check { name, state: State::Bad, says, advice }];
        }
    };
    let videos = plural(figures.videos, "video", "videos");
    let (all, embedded) = (grouped(figures.videos), grouped(figures.embedded));
    let says = format!("{all} {videos}, {embedded} searchable by meaning");
    let state = if figures.embedded == 0 { State::Warning } else { State::Good };
    let advice = (state == State::Warning)
        .then(|| "`toolwright watch embed` makes search by meaning possible".to_owned());
    vec![Check { name, state, says, advice }]
}
