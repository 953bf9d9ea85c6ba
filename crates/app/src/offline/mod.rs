//! [`OfflineModel`]: the offline model, loaded when it is first asked. A build without the feature `offline`
//! has none, and says so.

#[cfg_attr(not(feature = "offline"), path = "absent.rs")]
mod model;

use std::path::PathBuf;

use crate::Config;

pub use self::model::OfflineModel;
pub(crate) use self::model::{few_tools, similarity};

/// What fetching a file has come to: what is fetched, and how much of how many bytes is there.
pub type FetchProgress<'a> = dyn FnMut(&'static str, u64, Option<u64>) + Send + 'a;

/// Where the weights are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weights {
    /// In the folder that they are fetched into.
    Fetched(PathBuf),
    /// In a file of the user's.
    File(PathBuf),
}

impl Config {
    /// Where the weights of the offline model are, if it is what answers: where it was named, and
    /// where nothing else was.
    pub fn offline(&self) -> Option<Weights> {
        self.weights(self.model.names().next())
    }

    /// Where the weights of the offline model are, if that is what is named, or nothing is.
    pub(crate) fn weights(&self, name: Option<&str>) -> Option<Weights> {
        let model = &self.model;
        let is_nothing_set = model.base_url.value.is_none() && model.api_key.value.is_none();
        match name {
            None => is_nothing_set.then(|| Weights::Fetched(self.offline_folder())),
            Some("offline") => Some(Weights::Fetched(self.offline_folder())),
            Some(name) => name.strip_prefix("offline:").map(|path| Weights::File(path.into())),
        }
    }

    /// Where the offline model's weights are fetched into.
    pub fn offline_folder(&self) -> PathBuf {
        let named = self.model.offline_folder.value.clone();
        named.unwrap_or_else(|| self.data.value.join("models").join("smollm2-135m"))
    }
}
