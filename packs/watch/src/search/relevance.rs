//! [`of_question`]: one number of two that do not compare.
//!
//! A cosine says how near two meanings are on a scale of the model's own. A logistic curve makes of it how
//! likely the video is what was meant: 0.5 is "as likely as not". Words raise that: a video that holds every
//! word is likely, and surely what was meant if its vector says so too.
//!
//! The curves were fitted to judged pairs (`judged/questions.tsv` and `judged/alike.tsv`, those of odd numbers,
//! together with the first five of each odd question of `judged/queries.tsv`). Those of even numbers were held out of
//! the fit, but not of what came before it: what text a vector is made of, and that form is taken out of it, was
//! chosen with all of them in view. `tests/search/calibrated.rs` scores both halves. Fusing ranks instead of these numbers found less, and
//! could not say when there is nothing to be found.

/// What is less relevant is not shown: by meaning, most of it would be chance.
const FLOOR: f32 = 0.25;
/// The same of two videos, of which most have something in common.
const FLOOR_OF_ALIKE: f32 = 0.3;
/// The same where words alone were looked for: one of them in a long question is still a find.
const FLOOR_OF_WORDS: f32 = 0.15;

/// The cosine at which it is as likely as not that a video is what was meant, and how steep the curve is.
const MEANT: (f32, f32) = (0.32, 0.11);
/// Of two videos.
const ALIKE: (f32, f32) = (0.25, 0.12);

/// How much every word of a question raises what its vector says. The pairs would have none of it, as most of
/// them share words by design; names that the model does not know need some.
const WORDS: f32 = 0.3;
/// What every word of a question is worth where there is no vector.
const WORDS_ALONE: f32 = 0.9;

/// How well a video fits a question, by the cosine where it has a vector, and by the part of the words
/// that it holds; nothing where that is too little to be shown.
pub(super) fn of_question(cosine: Option<f32>, words: f32) -> Option<f32> {
    let Some(cosine) = cosine else { return by_words(words) };
    // Squared: one common word of three says little, all of three say much.
    let relevance = 1.0 - (1.0 - likely(cosine, MEANT)) * (1.0 - WORDS * words * words);
    Some(relevance).filter(|it| *it >= FLOOR)
}

/// How much alike two videos are; nothing where that is too little to be shown.
pub(super) fn of_video(cosine: f32) -> Option<f32> {
    Some(likely(cosine, ALIKE)).filter(|it| *it >= FLOOR_OF_ALIKE)
}

/// How well a video fits by words alone; nothing where that is too little to be shown.
pub(super) fn by_words(words: f32) -> Option<f32> {
    Some(WORDS_ALONE * words).filter(|it| *it >= FLOOR_OF_WORDS)
}

fn likely(cosine: f32, (middle, width): (f32, f32)) -> f32 {
    1.0 / (1.0 + ((middle - cosine) / width).exp())
}
