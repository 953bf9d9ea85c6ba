//! [`Form`]: what vectors of titles have in common, whatever the titles are about.
//!
//! To a sentence model "Python Basics" and "Cooking Basics" are much alike, and so are all texts that begin with
//! "Title:". What it makes of titles that say nothing is taken out of every vector: what is left is what a
//! video is about. With the judged pairs (`judged/alike.tsv`) that tells more of the pairs apart than any other
//! text or curve did.

use toolwright_embed::{EmbedError, Embedder};

use super::text;

/// Titles and channels that say nothing.
const EMPTY: [(&str, &str); 12] = [
    ("Introduction", "Channel"),
    ("Basics", "Channel"),
    ("Tutorial for Beginners", "Channel"),
    ("How To", "Videos"),
    ("Explained", "Official"),
    ("Part 1", "TV"),
    ("The Best of", "Show"),
    ("Everything You Need to Know", "Club"),
    ("Step by Step", "Academy"),
    ("In Ten Minutes", "Daily"),
    ("What Is This?", "World"),
    ("A Day", "Studio"),
];
/// What is left of a text that is nothing but form is chance.
const LEAST: f32 = 0.1;

/// What vectors of titles have in common, as directions at right angles to each other.
pub(super) struct Form(Vec<Vec<f32>>);

impl Form {
    /// Nothing.
    pub(super) fn none() -> Self {
        Self(Vec::new())
    }

    /// By what the embedder makes of texts that say nothing; none where form is nothing to it.
    pub(super) async fn of(embedder: &dyn Embedder) -> Result<Self, EmbedError> {
        let mut form = Self::none();
        if embedder.shares_form() {
            let texts = EMPTY.map(|(title, channel)| text::words(title, Some(channel)));
            for mut vector in embedder.embed(&texts).await? {
                form.project(&mut vector);
                if let Some(direction) = unit(vector) {
                    form.0.push(direction);
                }
            }
        }
        Ok(form)
    }

    /// The vector without it, of length 1. One that is nothing else stays as it is.
    pub(super) fn without(&self, vector: Vec<f32>) -> Vec<f32> {
        if self.0.is_empty() {
            return vector;
        }
        let mut rest = vector.clone();
        self.project(&mut rest);
        unit(rest).unwrap_or(vector)
    }

    fn project(&self, vector: &mut [f32]) {
        for direction in &self.0 {
            let part: f32 = direction.iter().zip(vector.iter()).map(|(a, b)| a * b).sum();
            for (number, along) in vector.iter_mut().zip(direction) {
                *number -= part * along;
            }
        }
    }
}

/// What made the vectors: those without form cannot be compared with those with it.
pub(crate) fn made_by(embedder: &dyn Embedder) -> String {
    let name = embedder.name();
    if embedder.shares_form() { format!("{name}, less form 1") } else { name.to_owned() }
}

/// What is looked for, as the text of a video would be.
pub(crate) fn as_title(query: &str, embedder: &dyn Embedder) -> String {
    if embedder.shares_form() { text::words(query, None) } else { query.to_owned() }
}

fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
    if !length.is_finite() || length < LEAST {
        return None;
    }
    vector.iter_mut().for_each(|it| *it /= length);
    Some(vector)
}
