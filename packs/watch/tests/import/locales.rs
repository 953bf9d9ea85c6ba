//! The verb of every language is taken off, and nothing but the verb.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::making::{Desk, at, cell, page, watched, with};

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

/// A page in every locale that YouTube has, with every month in it.
#[test]
fn pages_of_every_locale_are_dated() {
    let dates = include_str!("../../cldr/dates.tsv");
    let mut pages = BTreeMap::<(&str, &str), Vec<(&str, &str)>>::new();
    for line in dates.lines().filter(|it| !it.starts_with('#')) {
        let [locale, form, text, moment] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        pages.entry((locale, form)).or_default().push((text, moment));
    }
    assert_eq!(pages.len(), 2 * 83);
    for ((locale, form), dates) in pages {
        // Each by itself: what is known of a video tells the zone of a page that has none.
        let desk = Desk::new();
        let cells = dates.iter().enumerate().map(|(nth, (text, _))| {
            let id = format!("{nth:011}");
            let link = format!("<a href=\"https://www.youtube.com/watch?v={id}\">Tea</a>");
            cell(&format!("{link}<br>{}", text.replace(' ', "&nbsp;")), "")
        });
        let path = desk.file("page.html", page(&cells.collect::<Vec<_>>()));
        let imported = desk.import(&path).unwrap();
        assert_eq!(imported.broken, 0, "{locale} {form}: {:?}", imported.problems);
        let mut read: Vec<_> = dates.iter().map(|(_, moment)| at(moment).as_second()).collect();
        let sql = "SELECT at FROM watches";
        let database = desk.database();
        let mut found = database.prepare(sql).unwrap();
        let found = found.query_map([], |row| row.get::<_, i64>(0)).unwrap();
        let kept: BTreeSet<_> = found.map(|it| it.unwrap() / 1000).collect();
        read.retain(|it| !kept.contains(it));
        assert!(read.is_empty(), "{locale} {form}: {read:?}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(48))]
    /// The verb of a language that nobody listed is what all sentences of the file have around their titles.
    #[test]
    fn a_verb_that_is_not_listed_is_learned(
        before in "([A-Z\u{110}][a-z\u{e3}\u{111}]{1,7} ([a-z]{1,6}: ?)?)?|\u{5df2}\u{89c2}\u{770b}",
        after in "( [a-z\u{e3}]{2,8})?|\u{e41}\u{e25}\u{e49}\u{e27}",
        blanks in proptest::sample::select(&[" ", "\u{a0}"]),
    ) {
        let verb = [before.trim_end(), " ", after.trim()].concat();
        proptest::prop_assume!(!PATTERNS.iter().any(|it| it.contains(verb.trim())));
        let desk = Desk::new();
        let titles: Vec<_> = (0..20).map(|nth| format!("{} no. {} of Tea {}", LETTERS[nth], nth * 7919, LETTERS[19 - nth])).collect();
        let entries: Vec<_> = titles.iter().enumerate().map(|(nth, title)| {
            let said = format!("{before}{title}{after}").replace(' ', blanks);
            with(watched(&format!("{nth:011}"), "", "C", TIME), json!({ "title": said }))
        }).collect();
        desk.entries(&entries);
        for (nth, title) in titles.iter().enumerate() {
            let found = desk.video(&format!("{nth:011}")).title;
            proptest::prop_assert_eq!(found.as_deref(), Some(title.as_str()));
        }
    }
}

const LETTERS: [&str; 20] = [
    "Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gum", "Hazel", "Ivy", "Juniper", "Kauri",
    "Larch", "Maple", "Nutmeg", "Oak", "Pine", "Quince", "Rowan", "Spruce", "Teak",
];

/// Few sentences, or titles that begin alike, are no verb.
#[test]
fn what_titles_have_in_common_is_no_verb_where_one_is_known() {
    let desk = Desk::new();
    let entries: Vec<_> = (0..20)
        .map(|nth| watched(&format!("{nth:011}"), &format!("Minecraft part {nth}"), "C", TIME))
        .collect();
    desk.entries(&entries);
    assert_eq!(desk.video("00000000007").title.as_deref(), Some("Minecraft part 7"));
}
