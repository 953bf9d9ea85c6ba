use super::{super::stop, Terms};

#[test]
fn syntax_is_no_part_of_what_is_looked_for() {
    let terms = Terms::of("\"Rust\" NEAR(title: x*) AND -go ^y {a b}:c ; DROP");
    assert_eq!(terms.each().join(" "), r#""rust" "near" "title" "x" "go" "y" "b" "c" "drop"*"#);
}

#[test]
fn stop_words_go_unless_there_is_nothing_else() {
    assert_eq!(Terms::of("how to fix the car").each(), ["\"fix\"", "\"car\""]);
    assert_eq!(Terms::of("The Who").each(), ["\"the\"", "\"who\""]);
}

#[test]
fn the_last_word_may_be_half_typed_if_it_is_long_enough() {
    assert_eq!(Terms::of("docker compo").each(), ["\"docker\"", "\"compo\"*"]);
    assert_eq!(Terms::of("red car").each(), ["\"red\"", "\"car\""]);
}

#[test]
fn accents_and_repetition_do_not_count() {
    assert_eq!(Terms::of("Café CAFE\u{301} cafe").each(), ["\"cafe\"*"]);
}

#[test]
fn signs_alone_are_no_words() {
    assert!(Terms::of("🦀 \"'() -- \0 *").each().is_empty());
}

#[test]
fn a_long_text_is_cut() {
    let text: Vec<String> = (0..1000).map(|it| format!("word{it}")).collect();
    assert_eq!(Terms::of(&text.join(" ")).each().len(), 16);
}

#[test]
fn stop_words_are_found() {
    for word in ["a", "about", "something", "the", "your"] {
        assert!(stop::is_stop_word(word), "{word}");
    }
    assert!(!stop::is_stop_word("python"));
}
