//! [`VOCABULARY`]: the words of videos and music.

/// Words of this field that name nobody, for the review of answers.
pub(crate) const VOCABULARY: &str = "
    album artist channel episode film genre movie movies season song subscription video videos
    view views watch watched";
