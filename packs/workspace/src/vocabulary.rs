//! [`VOCABULARY`]: the words of programs and where they run.

/// Words of this field that name nobody, for the review of answers.
pub(crate) const VOCABULARY: &str = "
    branch build commit deploy deployment disk folder latency pipeline pod pods pull";
