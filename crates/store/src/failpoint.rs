//! `failpoint!`: places where tests make the store fail. Without the feature `failpoints` they are not
//! there at all.

/// Returns an error from the function it stands in, or does what the test says.
#[cfg(feature = "failpoints")]
macro_rules! failpoint {
    ($name:literal) => {
        fail::fail_point!($name, |said: Option<String>| Err($crate::failpoint::injected(
            said.as_deref()
        )))
    };
}

#[cfg(not(feature = "failpoints"))]
macro_rules! failpoint {
    ($name:literal) => {};
}

pub(crate) use failpoint;

/// The error a test asks for by name.
#[cfg(feature = "failpoints")]
pub(crate) fn injected(said: Option<&str>) -> crate::StoreError {
    use crate::StoreError;
    match said {
        Some("full") => StoreError::Full("injected".to_owned()),
        Some("busy") => StoreError::Busy,
        Some("lost") => StoreError::Lost("injected".to_owned()),
        _ => StoreError::Unavailable("injected".to_owned()),
    }
}

/// How many pages a test lets the database have.
#[cfg(feature = "failpoints")]
#[cfg(feature = "sqlite")]
pub(crate) fn pages() -> Option<String> {
    fail::fail_point!("store::pages", |said: Option<String>| said);
    None
}
