//! [`of_question`]: one number of two that do not compare.
//!
//! A cosine says how near two meanings are on a scale of the model's own: with the small sentence models
//! this is made for, what has nothing to do with a question is at 0.05 to 0.25, what answers it at
//! 0.35 to 0.7. A logistic curve makes of it how likely the video is what was meant. Words raise that:
//! a video that holds every word is likely, and surely what was meant if its vector says so too.
//!
//! The constants are chosen with the judged questions (`judged/`, `examples/retrieval.rs`), both halves
//! of which were seen in doing so. Fusing ranks instead of these numbers found less, and could not say
//! when there is nothing to be found.

/// What is less relevant is not shown.
pub(super) const FLOOR: f32 = 0.15;

/// The cosine at which it is as likely as not that a video is what was meant, and how steep the curve is.
const MEANT: (f32, f32) = (0.40, 0.10);
/// Of two videos: their texts have their form in common, and so are nearer than a question is.
const ALIKE: (f32, f32) = (0.50, 0.10);

/// How much every word of a question raises what its vector says.
const WORDS: f32 = 0.5;
/// What every word of a question is worth where there is no vector.
const WORDS_ALONE: f32 = 0.9;

/// How well a video fits a question, by the cosine where it has a vector, and by the part of the words
/// that it holds.
pub(super) fn of_question(cosine: Option<f32>, words: f32) -> f32 {
    match cosine {
        // Squared: one common word of three says little, all of three say much.
        Some(cosine) => 1.0 - (1.0 - likely(cosine, MEANT)) * (1.0 - WORDS * words * words),
        None => by_words(words),
    }
}

/// How much alike two videos are.
pub(super) fn of_video(cosine: f32) -> f32 {
    likely(cosine, ALIKE)
}

/// How well a video fits by words alone.
pub(super) fn by_words(words: f32) -> f32 {
    WORDS_ALONE * words
}

fn likely(cosine: f32, (middle, width): (f32, f32)) -> f32 {
    1.0 / (1.0 + ((middle - cosine) / width).exp())
}
