//! Addresses: which spellings are one, and which are put together from what the sources have.

use super::{figure::Sign, sources::Sources};

/// An address in one spelling: without its scheme, `www.`, a fragment, a slash at its end, and with
/// what was escaped written out. None for what is no address.
pub(super) fn address(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let bare = ["https://", "http://"].iter().find_map(|scheme| lower.strip_prefix(scheme));
    let bare = match (bare, lower.strip_prefix("www.")) {
        (Some(bare), _) => bare.strip_prefix("www.").unwrap_or(bare),
        (None, Some(bare)) => bare,
        (None, None) => return None,
    };
    let bare = bare.split('#').next().unwrap_or_default();
    Some(unescaped(bare).trim_end_matches('/').to_owned())
}

/// The machine an address is at.
pub(super) fn host(address: &str) -> &str {
    address.split(['/', '?']).next().unwrap_or_default()
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let byte = after.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match byte.filter(u8::is_ascii_graphic) {
            Some(byte) => {
                out.push(char::from(byte));
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                out.push('%');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

impl Sources {
    /// Whether an address is one that the sources have the parts of: its machine, or one that
    /// everybody knows, and everything behind that.
    pub(super) fn puts_together(&self, address: &str) -> bool {
        const KNOWN: &[&str] = &["youtube.com", "m.youtube.com", "youtu.be", "github.com"];
        let host = host(address);
        let rest = address.get(host.len()..).unwrap_or_default();
        let (name, port) = host.split_once(':').unwrap_or((host, ""));
        if matches!(name, "localhost" | "127.0.0.1" | "0.0.0.0") {
            return port.is_empty() || self.has_number(port);
        }
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let values = query.split('&').filter_map(|it| it.split_once('='));
        let values = values.filter(|(key, _)| !is_idle(key)).map(|(_, value)| value);
        let parts: Vec<&str> =
            path.split('/').chain(values).filter(|it| !it.is_empty() && !is_usual(it)).collect();
        (KNOWN.contains(&host) || self.lexicon.has(host))
            && !parts.is_empty()
            && parts.iter().all(|part| self.has_part(part))
    }

    fn has_part(&self, part: &str) -> bool {
        let mut words = part.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
        self.lexicon.has(part)
            || self.has_number(part)
            || (!part.contains(|c: char| c.is_ascii_digit())
                && words.all(|word| self.lexicon.has(word)))
    }

    fn has_number(&self, text: &str) -> bool {
        text.parse::<u32>().is_ok_and(|number| {
            let number = f64::from(number);
            self.numbers.within(number, number, Sign::Open)
        })
    }
}

/// Where something begins to play, or where somebody came from.
fn is_idle(key: &str) -> bool {
    matches!(key, "t" | "start" | "time_continue" | "feature" | "si") || key.starts_with("utm_")
}

/// What stands in addresses whatever they lead to.
fn is_usual(part: &str) -> bool {
    const USUAL: &[&str] = &[
        "watch",
        "v",
        "t",
        "video",
        "videos",
        "channel",
        "playlist",
        "list",
        "embed",
        "shorts",
        "issues",
        "issue",
        "pull",
        "pulls",
        "blob",
        "tree",
        "commit",
        "wiki",
        "search",
        "q",
        "id",
        "api",
        "docs",
        "item",
        "items",
        "page",
        "p",
        "en",
        "index.html",
    ];
    USUAL.contains(&part)
}
