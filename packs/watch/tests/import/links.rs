//! Which video an address leads to.

use serde_json::json;

use crate::making::{Desk, watched, with};

fn id(address: &str) -> Option<String> {
    let desk = Desk::new();
    let other = watched("-----------", "Something else", "Somebody", "2020-01-01T00:00:00Z");
    let entry = watched("", "Title", "Channel", "2023-06-04T04:07:59Z");
    desk.entries(&[with(entry, json!({ "titleUrl": address })), other]);
    let recent = desk.library.recent(2, None).unwrap();
    recent.into_iter().map(|it| it.id).find(|it| it != "-----------")
}

#[test]
fn every_form_leads_to_its_video() {
    let addresses = [
        "https://www.youtube.com/watch?v=rtTWtzWav8I",
        "http://youtube.com/watch?v=rtTWtzWav8I",
        "https://m.youtube.com/watch?v=rtTWtzWav8I&t=12s",
        "https://music.youtube.com/watch?list=PLaaaaaaaaaaa&v=rtTWtzWav8I&pp=ygU",
        "https://www.youtube.com/watch/?v=rtTWtzWav8I#t=3",
        "https://youtu.be/rtTWtzWav8I?si=abcdefghijk",
        "https://www.youtube.com/shorts/rtTWtzWav8I",
        "https://www.youtube.com/live/rtTWtzWav8I?feature=share",
        "https://www.youtube.com/embed/rtTWtzWav8I",
        "https://www.youtube-nocookie.com/embed/rtTWtzWav8I",
        "https://youtube-nocookie.com/embed/rtTWtzWav8I",
        "https://www.youtube.com/v/rtTWtzWav8I",
        "HTTPS://WWW.YOUTUBE.COM/watch?v=rtTWtzWav8I".trim_start_matches("HTTPS://WWW.YOUTUBE.COM"),
    ];
    for address in addresses {
        let expected = address.contains("//").then_some("rtTWtzWav8I");
        assert_eq!(id(address).as_deref(), expected, "{address}");
    }
}

#[test]
fn odd_ids_are_ids() {
    for odd in ["-_-_-_-_-_-", "00000000000", "_aB-cD_eF-g", "watchvideos"] {
        assert_eq!(id(&format!("https://www.youtube.com/watch?v={odd}")).as_deref(), Some(odd));
    }
}

#[test]
fn what_leads_elsewhere_is_no_video() {
    let addresses = [
        "https://www.youtube.com/watch?v=tooShort",
        "https://www.youtube.com/watch?v=muchTooLongForOne",
        "https://www.youtube.com/watch?v=rtTWtz av8I",
        "https://www.youtube.com/watch?list=rtTWtzWav8I",
        "https://www.youtube.com/playlist?v=rtTWtzWav8I",
        "https://www.youtube.com/post/rtTWtzWav8I",
        "https://www.youtube.com/clip/rtTWtzWav8I",
        "https://www.youtube.com.example.org/watch?v=rtTWtzWav8I",
        "https://example.org/watch?v=rtTWtzWav8I",
        "https://notyoutube.com/watch?v=rtTWtzWav8I",
        "rtTWtzWav8I",
    ];
    for address in addresses {
        assert_eq!(id(address), None, "{address}");
    }
}
