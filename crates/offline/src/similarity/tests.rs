use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use futures_core::future::BoxFuture;
use serde_json::json;
use toolwright_core::{Conversation, Message, ToolSimilarity, ToolSpec};
use toolwright_embed::{EmbedError, Embedder, Source};

use super::{KEPT, Similarity};

/// Texts are alike that share letters; counts what it was asked for.
#[derive(Default)]
struct Letters {
    embedded: AtomicUsize,
    last: Mutex<Vec<String>>,
}

impl Embedder for Letters {
    fn name(&self) -> &str {
        "letters"
    }

    fn dimensions(&self) -> usize {
        256
    }

    fn shares_form(&self) -> bool {
        false
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        self.embedded.fetch_add(texts.len(), Relaxed);
        *self.last.lock().unwrap() = texts.to_vec();
        let vector = |text: &String| {
            let mut vector = vec![0.0_f32; 256];
            text.bytes().for_each(|byte| vector[usize::from(byte)] += 1.0);
            let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
            vector.iter().map(|it| it / length.max(1.0)).collect()
        };
        Box::pin(async move { Ok(texts.iter().map(vector).collect()) })
    }
}

fn tools(count: usize) -> Vec<Arc<ToolSpec>> {
    let spec = |at| ToolSpec::new(format!("tool_{at}"), "It does.", json!({"type": "object"}));
    (0..count).map(|at| Arc::new(spec(at))).collect()
}

fn said(texts: &[&str]) -> Conversation {
    texts.iter().map(|text| Message::user(*text)).collect()
}

#[tokio::test]
async fn tools_are_read_once_also_in_another_toolbox_and_what_is_kept_is_bounded() {
    let letters = Arc::new(Letters::default());
    let similarity = Similarity::new(Arc::new(Source::ready(letters.clone())));
    let asked = said(&["tool 3: It does."]);
    let first = similarity.similarities(&asked, &tools(50)).await.unwrap();
    assert_eq!((first.len(), letters.embedded.swap(0, Relaxed)), (50, 51));
    // The same tools, made anew, and some more.
    let second = similarity.similarities(&asked, &tools(52)).await.unwrap();
    assert_eq!(letters.embedded.swap(0, Relaxed), 3);
    assert_eq!(first, second[..50]);
    let best = first.iter().copied().fold(f32::MIN, f32::max);
    assert_eq!(first[3], best);
    similarity.similarities(&asked, &tools(KEPT + 7)).await.unwrap();
    similarity.similarities(&asked, &tools(KEPT + 7)).await.unwrap();
    assert_eq!(letters.embedded.swap(0, Relaxed), KEPT + 7 - 52 + 2, "also more than are kept");
    let others: Vec<_> =
        (0..9).map(|at| Arc::new(ToolSpec::new(format!("other_{at}"), "", json!({})))).collect();
    similarity.similarities(&asked, &others).await.unwrap();
    assert_eq!(similarity.tools.known().len(), 9);
}

#[tokio::test]
async fn a_question_is_read_alone_and_behind_the_one_before_it() {
    let letters = Arc::new(Letters::default());
    let similarity = Similarity::new(Arc::new(Source::ready(letters.clone())));
    let tools = tools(3);
    similarity.similarities(&said(&["one", "two", " three "]), &tools).await.unwrap();
    assert_eq!(*letters.last.lock().unwrap(), ["three", "two three"]);
    let long = "é".repeat(9_000) + "what is that?";
    similarity.similarities(&said(&[&long]), &tools).await.unwrap();
    let read = letters.last.lock().unwrap().clone();
    assert!(read[0].ends_with("éwhat is that?") && read[0].chars().count() == 500);
}

#[tokio::test]
async fn where_nothing_can_be_compared_words_decide() {
    let ready = Similarity::new(Arc::new(Source::ready(Arc::new(Letters::default()))));
    assert_eq!(ready.similarities(&Conversation::new(), &tools(3)).await, None);
    assert_eq!(ready.similarities(&said(&[" "]), &tools(3)).await, None);
    let missing = Similarity::new(Arc::new(Source::local("no such folder")));
    assert_eq!(missing.similarities(&said(&["tool 3"]), &tools(3)).await, None);
}
