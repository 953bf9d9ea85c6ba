//! [`VOCABULARY`]: the words of the web.

/// Words of this field that name nobody, for the review of answers; those with a star tell something by
/// themselves.
pub(crate) const VOCABULARY: &str = "
    article articles author blog content download headline homepage html http https link links online page
    pages pdf post published release result results search section site snippet source sources summary
    title update updated url web website websites archived* offline* outdated* published*";
