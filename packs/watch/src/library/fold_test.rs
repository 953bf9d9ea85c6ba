use proptest::prelude::*;

use super::fold;

#[test]
fn case_accents_and_blanks_do_not_count() {
    assert_eq!(fold("  Ürün\u{a0}Ínceleme\t2 "), "urun inceleme 2");
    assert_eq!(fold("İstanbul"), "istanbul");
    assert_eq!(fold("Café"), fold("CAFE\u{301}"));
    assert_eq!(fold("ＡＢＣ"), "abc");
    assert_eq!(fold("채널"), "채널");
}

#[test]
fn different_names_stay_different() {
    assert_ne!(fold("Tech Channel"), fold("TechChannel"));
    assert_ne!(fold("देखा"), fold("देखी"));
    assert_ne!(fold("ガ"), fold("カ"));
}

proptest! {
    #[test]
    fn a_folded_name_folds_to_itself(name in "\\PC{0,40}") {
        let once = fold(&name);
        prop_assert_eq!(fold(&once), once);
    }

    #[test]
    fn blanks_around_words_do_not_count(words in prop::collection::vec("[a-zà-ýA-Z]{1,8}", 1..5)) {
        let wide = format!("\u{202f} {} ", words.join(" \u{a0} "));
        prop_assert_eq!(fold(&wide), fold(&words.join(" ")));
    }

    #[test]
    fn a_folded_name_has_single_blanks_inside_only(name in "\\PC{0,40}") {
        let folded = fold(&name);
        prop_assert!(!folded.contains("  "));
        prop_assert_eq!(folded.trim(), folded.as_str());
    }
}
