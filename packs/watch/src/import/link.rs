//! What YouTube's addresses say: which video, which channel.

/// The id of the video an address leads to, if it leads to one.
pub(super) fn video(address: &str) -> Option<&str> {
    let (host, path) = parts(address)?;
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let found = if is_host(host, "youtu.be") {
        path
    } else if is_youtube(host) {
        match path.split_once('/') {
            Some(("shorts" | "live" | "embed" | "v", rest)) => rest,
            None | Some(("watch", "")) if path.trim_end_matches('/') == "watch" => {
                query.split('&').find_map(|it| it.strip_prefix("v="))?
            }
            _ => return None,
        }
    } else {
        return None;
    };
    let id = found.split(['/', '&', '?']).next()?;
    is_video(id).then_some(id)
}

/// The id of the channel an address leads to, if the address has one: `/@name`, `/user/` and `/c/` do
/// not.
pub(super) fn channel(address: &str) -> Option<&str> {
    let (host, path) = parts(address)?;
    let id = path.strip_prefix("channel/").filter(|_| is_youtube(host))?;
    let id = id.split(['/', '?']).next()?;
    let is_one = id.len() == 24 && id.starts_with("UC") && id.bytes().all(is_letter);
    is_one.then_some(id)
}

/// Whether this is played by YouTube Music.
pub(super) fn is_music(address: &str) -> bool {
    parts(address).is_some_and(|(host, _)| is_host(host, "music.youtube.com"))
}

/// Whether this is an address, and no name.
pub(super) fn is_address(text: &str) -> bool {
    (text.starts_with("https://") || text.starts_with("http://")) && !text.contains(' ')
}

/// Whether this is the id of a video.
pub(crate) fn is_video(id: &str) -> bool {
    id.len() == 11 && id.bytes().all(is_letter)
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The host and what comes after it, without the fragment.
fn parts(address: &str) -> Option<(&str, &str)> {
    let address = address.trim();
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let rest = rest.or_else(|| address.strip_prefix("//"))?;
    let rest = rest.split_once('#').map_or(rest, |(before, _)| before);
    Some(rest.split_once('/').unwrap_or((rest, "")))
}

fn is_youtube(host: &str) -> bool {
    const HOSTS: [&str; 5] = [
        "www.youtube.com",
        "youtube.com",
        "m.youtube.com",
        "music.youtube.com",
        "youtube-nocookie.com",
    ];
    HOSTS.iter().any(|it| is_host(host, it)) || is_host(host, "www.youtube-nocookie.com")
}

fn is_host(host: &str, name: &str) -> bool {
    host.eq_ignore_ascii_case(name)
}
