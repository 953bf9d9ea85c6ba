//! Files that say anything: they load or are refused, and take no more than they are large.

use std::{fs, path::Path};

use super::{
    super::Llama,
    file::{File, Kind},
};
use crate::{tokens::Tokenizer, weights::Gguf};

const WIDTH: u64 = 16;

/// A sound file of one layer, and where its head has numbers of eight bytes.
fn sound() -> (Vec<u8>, Vec<usize>) {
    let mut file = File::new("llama");
    file.text("tokenizer.ggml.model", "gpt2");
    file.texts("tokenizer.ggml.tokens", &["<|im_start|>", "<|im_end|>", "a", "b", "ab"]);
    file.texts("tokenizer.ggml.merges", &["a b"]);
    for (name, value) in [
        ("embedding_length", WIDTH),
        ("attention.head_count", 1),
        ("attention.head_count_kv", 1),
        ("attention.key_length", 16),
        ("block_count", 1),
        ("feed_forward_length", 32),
        ("context_length", 64),
    ] {
        file.measure(name, value);
    }
    file.whole("general.alignment", 32);
    let tensors: [(&str, &[u64]); 11] = [
        ("token_embd", &[WIDTH, 5]),
        ("output_norm", &[WIDTH]),
        ("blk.0.attn_norm", &[WIDTH]),
        ("blk.0.attn_q", &[WIDTH, 16]),
        ("blk.0.attn_k", &[WIDTH, 16]),
        ("blk.0.attn_v", &[WIDTH, 16]),
        ("blk.0.attn_output", &[16, WIDTH]),
        ("blk.0.ffn_norm", &[WIDTH]),
        ("blk.0.ffn_gate", &[WIDTH, 32]),
        ("blk.0.ffn_up", &[WIDTH, 32]),
        ("blk.0.ffn_down", &[32, WIDTH]),
    ];
    for (name, shape) in tensors {
        file.tensor(&format!("{name}.weight"), shape, Kind::F32, 0.0);
    }
    let (bytes, head) = file.written();
    (bytes, (8..head - 8).collect())
}

/// Loads a file, and lets it say something where that works; whether it did.
fn tried(path: &Path, bytes: &[u8]) -> bool {
    fs::write(path, bytes).unwrap();
    let Ok(gguf) = Gguf::open(path) else { return false };
    let (Ok(model), tokenizer) = (Llama::new(&gguf, None), Tokenizer::new(&gguf)) else {
        return false;
    };
    if let Ok(tokenizer) = tokenizer {
        let _ = tokenizer.conversation("abba <|im_start|>");
    }
    let mut session = model.session();
    let read = session.push(&[0, 1, 2], &|| true);
    let _ = session.likeliest(&|_| true);
    read.is_ok()
}

/// The most memory that this process ever had, in KiB.
#[cfg(target_os = "linux")]
fn most() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[cfg(not(target_os = "linux"))]
fn most() -> u64 {
    0
}

#[test]
fn no_file_takes_more_than_it_is_large_nor_goes_on_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    let (file, numbers) = sound();
    assert!(tried(&path, &file), "the file is sound before anything is changed");
    let before = most();
    // Every place at which a number may stand, with numbers that files lie with.
    for at in &numbers {
        for value in [0, 3, 1 << 28, 1 << 44, u64::MAX] {
            let mut changed = file.clone();
            changed[*at..*at + 8].copy_from_slice(&value.to_le_bytes());
            tried(&path, &changed);
        }
    }
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..1_500 {
        let mut changed = file.clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(..changed.len());
            changed[at] = random.u8(..);
        }
        changed.truncate(random.usize(changed.len() / 2..=changed.len()));
        tried(&path, &changed);
    }
    let grown = most() - before;
    // Other tests take some meanwhile; the smallest lie that is told here is about 256 MiB.
    assert!(grown < 192 << 10, "a file of {} bytes took {grown} KiB", file.len());
}

/// Thousands of tensors may be the same bytes of a file: together they must still fit into it.
#[test]
fn tensors_that_share_their_bytes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    let mut file = [&b"GGUF"[..], &3_u32.to_le_bytes()].concat();
    file.extend(2_u64.to_le_bytes());
    file.extend(0_u64.to_le_bytes());
    for name in ["one", "two"] {
        file.extend(super::file::text(name));
        file.extend(1_u32.to_le_bytes());
        file.extend(64_u64.to_le_bytes());
        file.extend(0_u32.to_le_bytes());
        file.extend(0_u64.to_le_bytes());
    }
    file.resize(file.len().next_multiple_of(32), 0);
    file.extend([0; 64 * 4]);
    fs::write(&path, &file).unwrap();
    assert!(Gguf::open(&path).is_err());
    file.extend([0; 64 * 4]);
    fs::write(&path, &file).unwrap();
    assert!(Gguf::open(&path).is_ok());
}
