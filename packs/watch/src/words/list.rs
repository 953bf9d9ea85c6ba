//! Lists of videos, in the lines of which a title is only ever a part.

use jiff::Zoned;

use super::{Style, called, number::counted, time::clock, when};
use crate::{Hit, Video};

/// `You've watched 10 videos recently. Here are some highlights:` and a line for each.
pub(crate) fn recent(videos: &[Video], now: &Zoned) -> String {
    let head = match videos.len() {
        1 => "You watched 1 video recently:".to_owned(),
        many => {
            let many = counted(many as u64, "video");
            format!("You've watched {many} recently. Here are some highlights:")
        }
    };
    let line = |it: &Video| {
        let length = it.seconds.map(|it| format!(" ({})", clock(it))).unwrap_or_default();
        format!("{}{length} - watched {}", called(it), when(it.last, now, Style::Ago))
    };
    list(head, videos.iter().map(|it| (line(it), it.id.as_str())))
}

/// `I found 8 videos that match your search:` and a line for each.
pub(crate) fn found(hits: &[Hit], now: &Zoned, style: Style) -> String {
    let many = counted(hits.len() as u64, "video");
    let fit = if hits.len() == 1 { "matches" } else { "match" };
    let line = |it: &Hit| {
        let watched = when(it.watched, now, style);
        format!("{} (watched {watched}) [relevance: {:.2}]", called(&it.video), it.relevance)
    };
    let lines = hits.iter().map(|it| (line(it), it.video.id.as_str()));
    list(format!("I found {many} that {fit} your search:"), lines)
}

/// The head, the lines with their numbers, and the ids, by which the other tools can be asked about them.
fn list<'a>(head: String, lines: impl Iterator<Item = (String, &'a str)>) -> String {
    let mut text = head;
    let mut ids = Vec::new();
    for (number, (line, id)) in (1..).zip(lines) {
        text.push_str(&format!("\n{number}. {line}"));
        ids.push(format!("{number}. {id}"));
    }
    text.push_str(&format!("\n\nVideo IDs: {}", ids.join(", ")));
    text
}
