use serde::Deserialize;
use toolwright_offline::tokens::Vocabulary;

use crate::{BARE, golden};

#[derive(Deserialize)]
struct Case {
    text: String,
    tokens: Vec<u32>,
}

#[test]
fn a_text_has_the_tokens_that_the_original_gives_it() {
    let (_, tokenizer) = &*BARE;
    for Case { text, tokens } in golden::<Vec<Case>>("tokens.json") {
        assert_eq!(tokenizer.encode(&text), tokens, "{text:?}");
        assert_eq!(tokenizer.decode(&tokens), text);
    }
}

#[test]
fn only_a_conversation_has_marks_of_turns() {
    let (_, tokenizer) = &*BARE;
    let text = "<|im_start|>user\nHi<|im_end|>\n";
    let tokens = tokenizer.conversation(text);
    assert_eq!(tokens.iter().filter(|it| tokenizer.bytes(**it).is_empty()).count(), 2);
    assert_eq!(tokens[4], tokenizer.end());
    assert_eq!(tokenizer.decode(&tokens), "user\nHi\n");
    assert_eq!(tokenizer.decode(&tokenizer.encode(text)), text);
}

#[test]
fn what_the_model_has_no_token_for_is_left_out() {
    let (_, tokenizer) = &*BARE;
    assert_eq!(tokenizer.decode(&tokenizer.encode("a\u{4}b")), "ab");
    let printable: String = (' '..='~').collect();
    assert_eq!(tokenizer.decode(&tokenizer.encode(&printable)), printable);
    assert!(tokenizer.bytes(tokenizer.size()).is_empty());
}
