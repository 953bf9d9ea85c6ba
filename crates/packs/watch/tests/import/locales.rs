//! The verb of every language is taken off, and nothing but the verb.

use serde_json::json;

use crate::making::{Desk, cell, page, watched, with};

/// How languages say that `*` was watched.
pub(crate) const PATTERNS: [&str; 28] = [
    "Watched *",
    "* angesehen",
    "Vous avez regardé *",
    "Has visto *",
    "Hai guardato *",
    "Je hebt naar * gekeken",
    "Tittade på *",
    "Så på *",
    "Så *",
    "* katsottiin",
    "Obejrzano: *",
    "Zhlédli jste video *",
    "Megtekintette a következőt: *",
    "Ați vizionat *",
    "Гледахте *",
    "Παρακολουθήσατε το βίντεο *",
    "Просмотрено видео *",
    "Ви дивилися відео *",
    "* adlı videoyu izlediniz",
    "* izlənildi",
    "* を視聴しました",
    "* 을(를) 시청했습니다.",
    "* देखा",
    "* দেখা হয়েছে",
    "* دیکھی",
    "را تماشا کردید *",
    "تمت مشاهدة * .",
    "Pinanood ang *",
];

const ID: &str = "rtTWtzWav8I";
const TIME: &str = "2023-06-04T04:07:59.107Z";

fn title(said: &str) -> Option<String> {
    let desk = Desk::new();
    let entry = with(watched(ID, "", "Channel", TIME), json!({ "title": said }));
    assert_eq!(desk.entries(&[entry]).added, 1);
    desk.video(ID).title
}

#[test]
fn every_language_says_the_same() {
    for pattern in PATTERNS {
        let said = pattern.replace('*', "An Addictive Alternative");
        assert_eq!(title(&said).as_deref(), Some("An Addictive Alternative"), "{pattern}");
    }
}

#[test]
fn blanks_that_do_not_break_are_blanks() {
    for pattern in PATTERNS {
        for blank in ["\u{a0}", "\u{202f}"] {
            let said = pattern.replace(' ', blank).replace('*', "Tea");
            assert_eq!(title(&said).as_deref(), Some("Tea"), "{said:?}");
        }
    }
}

#[test]
fn one_verb_is_taken_off_and_only_where_something_remains() {
    assert_eq!(title("Watched Watched by the Moon").as_deref(), Some("Watched by the Moon"));
    assert_eq!(title("Watched").as_deref(), Some("Watched"));
    assert_eq!(title("Watched ").as_deref(), Some("Watched"));
    assert_eq!(title("Så på kanten").as_deref(), Some("kanten"));
    assert_eq!(
        title("Something in no language we know").as_deref(),
        Some("Something in no language we know")
    );
}

#[test]
fn a_title_may_hold_the_verb_of_another_language() {
    let desk = Desk::new();
    let ids = ["aaaaaaaaaaa", "bbbbbbbbbbb", "ccccccccccc"];
    let said = ["Tee angesehen", "Kaffee angesehen", "Watched by the Moon angesehen"];
    let entries: Vec<_> = ids
        .iter()
        .zip(said)
        .map(|(id, said)| with(watched(id, "", "Kanal", TIME), json!({ "title": said })))
        .collect();
    desk.entries(&entries);
    assert_eq!(desk.video("ccccccccccc").title.as_deref(), Some("Watched by the Moon"));
}

#[test]
fn a_german_title_that_begins_like_an_english_deed_is_watched() {
    assert_eq!(title("Liked by Everyone angesehen").as_deref(), Some("Liked by Everyone"));
}

#[test]
fn pages_of_every_language_say_the_same() {
    for pattern in PATTERNS {
        let desk = Desk::new();
        let link = format!("<a href=\"https://www.youtube.com/watch?v={ID}\">Tea &amp; Cake</a>");
        let said = pattern.replace(' ', "&nbsp;").replace('*', &link);
        let content = format!(
            "{said}<br><a href=\"https://www.youtube.com/@c\">C</a><br>2024-03-01 19:15:30 UTC"
        );
        let path = desk.file("page.html", page(&[cell(&content, "")]));
        assert_eq!(desk.import(&path).unwrap().added, 1, "{pattern}");
        assert_eq!(desk.video(ID).title.as_deref(), Some("Tea & Cake"), "{pattern}");
    }
}
