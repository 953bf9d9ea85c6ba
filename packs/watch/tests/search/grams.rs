//! [`Grams`]: an embedder that needs no model.

use futures_core::future::BoxFuture;
use toolwright_embed::{EmbedError, EmbedErrorKind, Embedder};

/// Makes vectors by counting which three letters follow each other: like words, like vectors.
pub(crate) struct Grams {
    pub(crate) name: &'static str,
}

pub(crate) const GRAMS: Grams = Grams { name: "grams" };

const DIMENSIONS: usize = 96;

impl Embedder for Grams {
    fn name(&self) -> &str {
        self.name
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn shares_form(&self) -> bool {
        false
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        let salt = self.name.len() as u32;
        Box::pin(async move { Ok(texts.iter().map(|it| vector(it, salt)).collect()) })
    }
}

fn vector(text: &str, salt: u32) -> Vec<f32> {
    let letters: Vec<char> = text.to_lowercase().chars().collect();
    let mut vector = vec![0.0; DIMENSIONS];
    for gram in letters.windows(3) {
        let hash =
            gram.iter().fold(salt, |hash, it| hash.wrapping_mul(31).wrapping_add(*it as u32));
        vector[hash.wrapping_mul(0x9e37_79b1) as usize % DIMENSIONS] += 1.0;
    }
    unit(vector)
}

/// The vector of length 1 that points the same way.
pub(crate) fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|it| *it /= length);
    }
    vector
}

/// Has a vector for each text that ends in a number, and one for every other text.
pub(crate) struct Given {
    pub(crate) vectors: Vec<Vec<f32>>,
    pub(crate) question: Vec<f32>,
}

impl Embedder for Given {
    fn name(&self) -> &str {
        "given"
    }

    fn dimensions(&self) -> usize {
        self.question.len()
    }

    fn shares_form(&self) -> bool {
        false
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        let one = |text: &String| {
            let number: Option<usize> = text.split('#').nth(1).and_then(|it| it.parse().ok());
            number.map_or(&self.question, |it| &self.vectors[it]).clone()
        };
        Box::pin(async move { Ok(texts.iter().map(one).collect()) })
    }
}

/// Fails after so many texts.
pub(crate) struct Failing {
    pub(crate) name: &'static str,
    pub(crate) after: std::sync::atomic::AtomicUsize,
}

impl Embedder for Failing {
    fn name(&self) -> &str {
        self.name
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn shares_form(&self) -> bool {
        false
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        use std::sync::atomic::Ordering::Relaxed;
        Box::pin(async move {
            if self.after.load(Relaxed) < texts.len() {
                let error = EmbedError::new(EmbedErrorKind::Unavailable, "nobody answers");
                return Err(error.with_advice("start it"));
            }
            self.after.fetch_sub(texts.len(), Relaxed);
            Grams { name: self.name }.embed(texts).await
        })
    }
}
