//! [`Shelves`]: where other programs on this machine keep models.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

/// How many folders deep models are looked for, and how many are found at most.
const DEPTH: usize = 4;
const MOST: usize = 500;
/// The largest description of a model that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// Where Ollama has models from that no place is named for.
const USUAL: &str = "registry.ollama.ai/library/";
/// What Ollama calls weights.
const WEIGHTS: &str = "application/vnd.ollama.image.model";

/// Folders in which other programs on this machine, Ollama and LM Studio, keep models.
#[derive(Clone, Debug, Default)]
pub struct Shelves {
    ollama: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

/// What Ollama says about a model.
#[derive(Deserialize)]
struct Manifest {
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layer {
    media_type: String,
    digest: String,
}

impl Shelves {
    /// Those of whoever runs this.
    pub fn of_user() -> Self {
        let folder = |name: &str| env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
        Self::at(folder("HOME").as_deref(), folder("OLLAMA_MODELS"))
    }

    /// Those in a home folder, and where Ollama was told to keep its own.
    pub fn at(home: Option<&Path>, ollama: Option<PathBuf>) -> Self {
        let within = |folder: &str| home.map(|it| it.join(folder));
        let usual = || within(".ollama/models");
        Self {
            ollama: ollama.or_else(usual).into_iter().collect(),
            files: [".lmstudio/models", ".cache/lm-studio/models"]
                .into_iter()
                .filter_map(within)
                .collect(),
        }
    }

    /// All models, by the names they have there: `qwen3:0.6b` at Ollama, the file's name at LM Studio.
    pub fn all(&self) -> BTreeMap<String, PathBuf> {
        let mut all = BTreeMap::new();
        for folder in &self.files {
            for path in files(folder) {
                let is_model = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("gguf"));
                let name = path.file_stem().map(|it| it.to_string_lossy().into_owned());
                // What looks at pictures stands beside the model that it is for.
                let name = name.filter(|it| is_model && !it.starts_with("mmproj"));
                name.into_iter().for_each(|name| _ = all.insert(name, path.clone()));
            }
        }
        for folder in &self.ollama {
            let manifests = folder.join("manifests");
            for path in files(&manifests) {
                if let (Some(name), Some(weights)) =
                    (called(&manifests, &path), weights(folder, &path))
                {
                    all.insert(name, weights);
                }
            }
        }
        all
    }

    /// The weights of the model that somebody calls so, whatever the case.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let wanted = name.to_lowercase();
        let latest = format!("{wanted}:latest");
        let mut all = self.all().into_iter();
        let is_it = |known: &str| known == wanted || known == latest;
        all.find(|(known, _)| is_it(&known.to_lowercase())).map(|(_, path)| path)
    }
}

/// What a model is called whose description lies here: `HOST/NAMESPACE/MODEL/TAG`.
fn called(manifests: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(manifests).ok()?.iter().map(|it| it.to_str());
    let parts = parts.collect::<Option<Vec<_>>>()?;
    let (tag, model) = parts.split_last()?;
    let model = model.join("/");
    let short = model.strip_prefix(USUAL).unwrap_or(&model);
    (!short.is_empty()).then(|| format!("{short}:{tag}"))
}

/// The weights of a model that is described here.
fn weights(folder: &Path, manifest: &Path) -> Option<PathBuf> {
    let size = fs::metadata(manifest).ok()?.len();
    let text = (size <= LARGEST).then(|| fs::read(manifest).ok()).flatten()?;
    let manifest: Manifest = serde_json::from_slice(&text).ok()?;
    let layer = manifest.layers.into_iter().find(|it| it.media_type == WEIGHTS)?;
    let digest = layer.digest.strip_prefix("sha256:")?;
    let is_digest = digest.len() == 64 && digest.bytes().all(|it| it.is_ascii_hexdigit());
    let path = folder.join("blobs").join(format!("sha256-{digest}"));
    (is_digest && path.is_file()).then_some(path)
}

/// The files in a folder and those within it, as many as anybody has.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), DEPTH)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth > 0 => folders.push((entry.path(), depth - 1)),
                Ok(kind) if !kind.is_dir() && found.len() < MOST => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, content: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    #[test]
    fn models_of_other_programs_are_found_by_their_names() {
        let home = tempfile::tempdir().unwrap();
        let (home, digest) = (home.path(), "ab".repeat(32));
        let ollama = home.join(".ollama/models");
        let manifest = |digest: &str| {
            format!(
                r#"{{"layers": [{{"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:0"}},
                {{"mediaType": "{WEIGHTS}", "digest": "sha256:{digest}"}}]}}"#
            )
        };
        put(&ollama.join("blobs").join(format!("sha256-{digest}")), "GGUF");
        let manifests = ollama.join("manifests");
        put(&manifests.join("registry.ollama.ai/library/qwen3/0.6b"), &manifest(&digest));
        put(&manifests.join("registry.ollama.ai/library/smollm2/latest"), &manifest(&digest));
        put(&manifests.join("hf.co/some/model/Q4_K_M"), &manifest(&digest));
        put(
            &manifests.join("registry.ollama.ai/library/outside/1"),
            &manifest("../../../../etc/passwd"),
        );
        put(&manifests.join("registry.ollama.ai/library/gone/1"), &manifest(&"cd".repeat(32)));
        put(&manifests.join("registry.ollama.ai/library/broken/1"), "{");
        let studio = home.join(".lmstudio/models/somebody/Some-GGUF");
        put(&studio.join("Some-0.5B-Q4_K_M.gguf"), "GGUF");
        put(&studio.join("mmproj-Some.gguf"), "GGUF");

        let shelves = Shelves::at(Some(home), None);
        let names: Vec<_> = shelves.all().into_keys().collect();
        assert_eq!(
            names,
            ["Some-0.5B-Q4_K_M", "hf.co/some/model:Q4_K_M", "qwen3:0.6b", "smollm2:latest"]
        );
        for (name, is_there) in [
            ("qwen3:0.6b", true),
            ("QWEN3:0.6B", true),
            ("smollm2", true),
            ("some-0.5b-q4_k_m", true),
            ("qwen3", false),
            ("outside:1", false),
        ] {
            assert_eq!(shelves.find(name).is_some(), is_there, "{name}");
        }
        assert!(Shelves::at(None, Some(ollama)).find("qwen3:0.6b").is_some());
        assert!(Shelves::at(None, None).all().is_empty());
    }
}
