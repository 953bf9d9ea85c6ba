use futures_util::FutureExt;
use toolwright_embed::Embedder;

use crate::{cosine, model, texts};

/// A text, one that means the same, and one that does not though it shares a word.
const TRIPLES: [[&str; 3]; 12] = [
    [
        "How to sharpen a kitchen knife",
        "Getting blades razor sharp at home",
        "Kitchen renovation cost",
    ],
    ["Why do airplanes fly?", "The physics of lift explained", "Cheap flights to Lisbon"],
    [
        "Learn Rust in one hour",
        "A beginner's guide to the Rust programming language",
        "Removing rust from old tools",
    ],
    ["Best pasta recipes", "How to cook perfect spaghetti", "Spaghetti code in old software"],
    ["Black holes explained", "What happens when a star collapses", "Black friday deals"],
    ["10 minute morning yoga", "A short stretching routine to wake up", "Morning news summary"],
    [
        "How the stock market works",
        "Investing in shares for beginners",
        "Making chicken stock from bones",
    ],
    [
        "Learning the guitar: first chords",
        "Easy songs to play on a six-string",
        "History of the violin makers of Cremona",
    ],
    ["How to train a puppy", "Teaching a young dog to obey", "How trains are built"],
    ["Fix a flat bicycle tire", "Repairing a puncture on your bike", "Why I am always tired"],
    [
        "The fall of the Roman Empire",
        "How ancient Rome collapsed",
        "A weekend in modern Rome: hotels",
    ],
    [
        "Climate change in the Arctic",
        "Polar ice is melting faster than expected",
        "How to change a light bulb",
    ],
];

#[tokio::test]
async fn paraphrases_are_nearer_than_unrelated_texts() {
    for [text, same, other] in TRIPLES {
        let vectors = model().embed(&texts(&[text, same, other])).await.unwrap();
        let (near, far) = (cosine(&vectors[0], &vectors[1]), cosine(&vectors[0], &vectors[2]));
        assert!(near > far, "{text}: {same} {near}, {other} {far}");
    }
}

#[tokio::test]
async fn each_text_is_nearest_to_its_own_paraphrase() {
    let first: Vec<_> = TRIPLES.iter().map(|it| it[0]).collect();
    let second: Vec<_> = TRIPLES.iter().map(|it| it[1]).collect();
    let first = model().embed(&texts(&first)).await.unwrap();
    let second = model().embed(&texts(&second)).await.unwrap();
    let right = first.iter().enumerate().filter(|(place, text)| {
        let nearest = (0..second.len())
            .max_by(|a, b| cosine(text, &second[*a]).total_cmp(&cosine(text, &second[*b])));
        nearest == Some(*place)
    });
    assert!(right.count() >= 11);
}

#[tokio::test]
async fn a_batch_gives_what_its_texts_give_alone_and_in_their_order() {
    let mut all: Vec<String> = TRIPLES.iter().flatten().map(|it| (*it).to_owned()).collect();
    // Lengths that are far apart and not in order, and more than one batch.
    all.extend((0..40).map(|it| "a word ".repeat((it * 7) % 40 + 1) + &it.to_string()));
    all.insert(5, String::new());
    let together = model().embed(&all).await.unwrap();
    assert_eq!(together.len(), all.len());
    for (text, vector) in all.iter().zip(&together) {
        let alone = model().embed(std::slice::from_ref(text)).await.unwrap();
        let alike = cosine(&alone[0], vector);
        assert!(alike > 0.999, "{text:?}: {alike}");
    }
}

#[tokio::test]
async fn every_text_has_a_vector_of_length_one() {
    let long = "The quick brown fox jumps over the lazy dog. ".repeat(100_000);
    let odd = texts(&[
        "",
        " \n\t",
        "🦀🔥👩‍👩‍👧‍👦",
        "日本語のビデオ",
        "Привет, мир",
        "مرحبا بالعالم",
        "नमस्ते दुनिया",
        "\u{0}\u{feff}\u{200b}",
        "[CLS] [MASK] [SEP]",
        &long,
        &"x".repeat(1_000_000),
        &"\u{301}".repeat(10_000),
    ]);
    let vectors = model().embed(&odd).await.unwrap();
    for (text, vector) in odd.iter().zip(&vectors) {
        let length = cosine(vector, vector);
        let start: String = text.chars().take(20).collect();
        assert!((length - 1.0).abs() < 1e-4, "{start:?} has length {length}");
        assert_eq!(vector.len(), model().dimensions());
    }
    assert_eq!(model().embed(&[]).await.unwrap(), Vec::<Vec<f32>>::new());
}

#[tokio::test]
async fn a_long_text_is_read_from_its_beginning() {
    let long = "Sourdough bread baking at home. ".repeat(50);
    let asked = [long.clone() + "Volcano", long, "Volcano".to_owned()];
    let vectors = model().embed(&asked).await.unwrap();
    assert!(cosine(&vectors[0], &vectors[1]) > 0.999);
    assert!(cosine(&vectors[0], &vectors[2]) < 0.5);
}

#[tokio::test]
async fn words_are_read_as_the_model_was_taught() {
    // The same numbers come out of the tokenizer that the model was made with.
    let pairs = [("Café CRÈME", "cafe creme"), ("日本", "日 本"), ("well-known", "well - known")];
    for (one, other) in pairs {
        let vectors = model().embed(&texts(&[one, other])).await.unwrap();
        assert!(cosine(&vectors[0], &vectors[1]) > 0.999, "{one}");
    }
}

#[tokio::test]
async fn vectors_are_those_of_the_reference_runtime() {
    // The first numbers as ONNX Runtime computes them from the same file.
    let vectors = model().embed(&texts(&["How to sharpen a kitchen knife"])).await.unwrap();
    for (number, expected) in vectors[0].iter().zip(REFERENCE) {
        assert!((number - expected).abs() < 0.01, "{number} is not {expected}");
    }
}

const REFERENCE: [f32; 8] =
    [0.01581, -0.05052, -0.07218, 0.02543, -0.07682, -0.01416, 0.02656, -0.00359];

#[tokio::test]
async fn work_that_nobody_waits_for_does_not_disturb_what_comes_after() {
    let many = vec!["a title of some length, to have something to do".to_owned(); 2000];
    assert_eq!(model().embed(&many).now_or_never(), None);
    let vectors = model().embed(&many[..2]).await.unwrap();
    assert!(cosine(&vectors[0], &vectors[1]) > 0.9999);
}

#[test]
fn its_name_has_a_version() {
    assert_eq!(model().name(), "minilm-l6-v2-int8/1");
    assert_eq!(model().dimensions(), 384);
}
