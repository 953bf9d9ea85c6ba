//! Models of every family, held against what llama.cpp makes of the same numbers.

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, LazyLock},
};

use serde::Deserialize;

use super::{
    super::{DecodeSession, Family, Llama},
    file::{File, Kind},
};
use crate::{
    tokens::{Tokenizer, made_up},
    weights::Gguf,
};

const WIDTH: u64 = 256;
const HIDDEN: u64 = 512;
const HEAD: u64 = 64;

/// Where the families cut texts differently.
const TEXT: &str = "<|im_start|>user\nIt's the 12345 days IN the inn,  \n\n  don'T:\t\"the\" <tool_call> é日本 \r\n x<|im_end|>\n<|x|>";

/// What is tried: a family, with its weights stored in this way.
const TRIED: [(Family, Kind); 8] = [
    (Family::Llama, Kind::F16),
    (Family::Llama, Kind::Q4_0),
    (Family::Llama, Kind::Q4_1),
    (Family::Qwen2, Kind::Q8_0),
    (Family::Qwen2, Kind::Q4K),
    (Family::Qwen3, Kind::Q5K),
    (Family::Qwen3, Kind::Q6K),
    (Family::SmolLm3, Kind::Q4K),
];

#[derive(Deserialize)]
struct Case {
    name: String,
    tokens: Vec<u32>,
    /// After the last one.
    logits: Vec<(usize, f32)>,
}

/// A model that says nothing sensible. No two of its tensors are alike.
fn model(family: Family, kind: Kind) -> Vec<u8> {
    let (heads, shared) = (if family == Family::Qwen3 { 8 } else { 4 }, 2);
    // One of four layers is another one in one of the families.
    let layers = if family == Family::SmolLm3 { 4 } else { 2 };
    let mut file = File::new(family.name());
    for (name, value) in [
        ("embedding_length", WIDTH),
        ("attention.head_count", heads),
        ("attention.head_count_kv", shared),
        ("block_count", layers),
        ("feed_forward_length", HIDDEN),
        ("context_length", 512),
    ] {
        file.small(&format!("{}.{name}", family.name()), value as u32);
    }
    if family == Family::Qwen3 {
        file.small("qwen3.attention.key_length", HEAD as u32);
        file.small("qwen3.attention.value_length", HEAD as u32);
    }
    file.small(&format!("{}.rope.dimension_count", family.name()), HEAD as u32);
    file.fraction(&format!("{}.rope.freq_base", family.name()), 10_000.0);
    file.fraction(&format!("{}.attention.layer_norm_rms_epsilon", family.name()), 1e-6);
    let many = words(&mut file, family);
    file.tensor("token_embd.weight", &[WIDTH, many], kind, 0.0);
    file.tensor("output_norm.weight", &[WIDTH], Kind::F32, 1.0);
    if family != Family::Qwen2 {
        file.tensor("output.weight", &[WIDTH, many], kind, 0.0);
    }
    for layer in 0..layers {
        layer_of(&mut file, family, kind, layer, [heads * HEAD, shared * HEAD]);
    }
    file.written().0
}

fn layer_of(file: &mut File, family: Family, kind: Kind, layer: u64, [asks, answers]: [u64; 2]) {
    let name = |of: &str| format!("blk.{layer}.{of}");
    for (of, makes) in [("attn_q", asks), ("attn_k", answers), ("attn_v", answers)] {
        file.tensor(&name(&format!("{of}.weight")), &[WIDTH, makes], kind, 0.0);
        if family == Family::Qwen2 {
            file.tensor(&name(&format!("{of}.bias")), &[makes], Kind::F32, 0.0);
        }
    }
    if family == Family::Qwen3 {
        file.tensor(&name("attn_q_norm.weight"), &[HEAD], Kind::F32, 1.0);
        file.tensor(&name("attn_k_norm.weight"), &[HEAD], Kind::F32, 1.0);
    }
    file.tensor(&name("attn_norm.weight"), &[WIDTH], Kind::F32, 1.0);
    file.tensor(&name("ffn_norm.weight"), &[WIDTH], Kind::F32, 1.0);
    file.tensor(&name("attn_output.weight"), &[asks, WIDTH], kind, 0.0);
    file.tensor(&name("ffn_gate.weight"), &[WIDTH, HIDDEN], kind, 0.0);
    file.tensor(&name("ffn_up.weight"), &[WIDTH, HIDDEN], kind, 0.0);
    file.tensor(&name("ffn_down.weight"), &[HIDDEN, WIDTH], kind, 0.0);
}

/// The tokens of a model: every byte, a few longer ones and marks; how many there are.
fn words(file: &mut File, family: Family) -> u64 {
    let mut tokens = made_up::letters();
    let merges = ["Ġ t", "h e", "Ġt he", "i n", "1 2", "12 3", "Ċ Ċ", "' s", "' S", "Ġ Ġ"];
    tokens.extend(merges.map(|it| it.replace(' ', "")));
    let mut kinds = vec![1; tokens.len()];
    for (mark, kind) in [("<tool_call>", 4), ("<|im_start|>", 3), ("<|im_end|>", 3), ("<|x|>", 3)] {
        tokens.push(mark.to_owned());
        kinds.push(kind);
    }
    let pre = match family {
        Family::Llama => "smollm",
        Family::Qwen2 | Family::Qwen3 => "qwen2",
        Family::SmolLm3 => "smaug-bpe",
    };
    file.text("tokenizer.ggml.model", "gpt2");
    file.text("tokenizer.ggml.pre", pre);
    file.texts("tokenizer.ggml.tokens", &tokens.iter().map(String::as_str).collect::<Vec<_>>());
    file.wholes("tokenizer.ggml.token_type", &kinds);
    file.texts("tokenizer.ggml.merges", &merges);
    let id = |mark: &str| tokens.iter().position(|it| it == mark).unwrap() as u32;
    file.small("tokenizer.ggml.eos_token_id", id("<|im_end|>"));
    file.small("tokenizer.ggml.bos_token_id", id("<|im_start|>"));
    tokens.len() as u64
}

/// A small model of the family that is ours, and its tokenizer. It says nothing sensible, and always the same.
pub(crate) fn tiny() -> (Llama, Arc<Tokenizer>) {
    static TINY: LazyLock<(Llama, Arc<Tokenizer>)> = LazyLock::new(|| {
        let (model, tokenizer) = open("tiny", &model(Family::Llama, Kind::Q4_1));
        (model, Arc::new(tokenizer))
    });
    TINY.clone()
}

fn open(name: &str, bytes: &[u8]) -> (Llama, Tokenizer) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let gguf = Gguf::open(&path).unwrap();
    (Llama::new(&gguf, None).unwrap(), Tokenizer::new(&gguf).unwrap())
}

fn name(family: Family, kind: Kind) -> String {
    format!("{}-{kind:?}", family.name()).to_lowercase()
}

fn read(model: &Llama, tokens: &[u32], together: usize) -> DecodeSession {
    let mut session = model.session();
    for tokens in tokens.chunks(together) {
        assert!(session.push(tokens, &|| true).unwrap());
    }
    session
}

/// Writes the models down, for `tests/golden/reference.py`.
#[test]
#[ignore = "only where references are made"]
fn models_are_written_down() {
    let folder = PathBuf::from(std::env::var_os("TINY_MODELS").unwrap());
    for (family, kind) in TRIED {
        fs::write(folder.join(format!("{}.gguf", name(family, kind))), model(family, kind))
            .unwrap();
    }
}

#[test]
fn every_family_says_what_another_implementation_does() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../../tests/golden/families.json")).unwrap();
    for (family, kind) in TRIED {
        let case = cases.iter().find(|it| it.name == name(family, kind)).unwrap();
        let (model, tokenizer) = open(&case.name, &model(family, kind));
        assert_eq!(tokenizer.templated(TEXT), case.tokens, "{}", case.name);
        for together in [1, 5, case.tokens.len()] {
            let session = read(&model, &case.tokens, together);
            let logits = session.logits().unwrap();
            // What is stored anew in eight bits is not quite what it was.
            let most = match kind {
                Kind::Q6K => 0.1,
                Kind::Q5K | Kind::F16 => 0.05,
                _ => 0.01,
            };
            for (token, expected) in &case.logits {
                let off = (logits[*token] - expected).abs();
                assert!(off < most, "{}, {together} at a time: {token} is off by {off}", case.name);
            }
        }
    }
}
