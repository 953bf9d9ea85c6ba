//! [`VOCABULARY`]: the words of the weather.

/// Words of this field that name nobody, for the review of answers; those with a star tell something by
/// themselves.
pub(crate) const VOCABULARY: &str = "
    feels forecast humidity precipitation pressure sky storm sunrise sunset temperature visibility
    weather wind winds cloudy* humid* partly* rain* rainy* snow* snowy* sunny* windy*";
