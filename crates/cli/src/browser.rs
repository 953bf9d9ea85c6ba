//! [`open`]: an address in the user's browser, where there is one.
#![cfg_attr(not(any(feature = "mcp", feature = "server")), allow(dead_code))]

use std::{
    env,
    process::{Command, Stdio},
    thread,
};

/// Opens an address in the user's browser: what `BROWSER` names, or what the system has. It is one argument of a
/// program, and begins with `https://` or `http://`: no shell reads it. Whether something was started.
pub(crate) fn open(url: &str) -> bool {
    match env::var("BROWSER") {
        // Whoever names one knows that it works here, screen or not.
        Ok(named) if !named.trim().is_empty() => {
            named.split(if cfg!(windows) { ';' } else { ':' }).any(|it| start(named_words(it, url)))
        }
        _ => has_screen() && start(system_words(url)),
    }
}

/// The words of a browser that was named: the address takes the place of `%s`, or stands at the end.
fn named_words(named: &str, url: &str) -> Vec<String> {
    let mut words: Vec<_> = named.split_whitespace().map(|word| word.replace("%s", url)).collect();
    if !named.contains("%s") && !words.is_empty() {
        words.push(url.to_owned());
    }
    words
}

fn system_words(url: &str) -> Vec<String> {
    let words: &[&str] = if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        &["rundll32", "url.dll,FileProtocolHandler"]
    } else {
        &["xdg-open"]
    };
    words.iter().copied().chain([url]).map(str::to_owned).collect()
}

/// Whether there is a screen: without one, programs that open things open them in the terminal.
pub(crate) fn has_screen() -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|it| !it.is_empty());
    cfg!(any(target_os = "macos", windows)) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

fn start(words: Vec<String>) -> bool {
    let mut words = words.into_iter();
    let Some(program) = words.next() else { return false };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    // It may be the browser itself, and stay.
    thread::spawn(move || child.wait());
    true
}

#[cfg(test)]
mod tests {
    use super::named_words;

    #[test]
    fn the_address_is_one_word_wherever_it_stands() {
        let url = "http://127.0.0.1:8001/?a=b c";
        assert_eq!(named_words("firefox", url), ["firefox", url]);
        assert_eq!(named_words("lynx -x %s", url), ["lynx", "-x", url]);
        assert_eq!(named_words("  ", url), Vec::<String>::new());
    }
}
