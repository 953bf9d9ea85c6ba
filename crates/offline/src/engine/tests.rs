//! Files that say anything: they load or are refused, and take no more than they are large.

use std::{fs, path::Path};

use super::Llama;
use crate::{tokens::Tokenizer, weights::Gguf};

const WIDTH: u64 = 16;

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
}

fn field(name: &str, kind: u32, value: &[u8]) -> Vec<u8> {
    [&text(name), &kind.to_le_bytes()[..], value].concat()
}

fn texts(name: &str, all: &[&str]) -> Vec<u8> {
    let list: Vec<u8> = all.iter().flat_map(|it| text(it)).collect();
    field(name, 9, &[&8_u32.to_le_bytes()[..], &(all.len() as u64).to_le_bytes(), &list].concat())
}

/// A sound file of one layer, and where its head has numbers of eight bytes.
fn sound() -> (Vec<u8>, Vec<usize>) {
    let whole = |name: &str, value: u64| field(&format!("llama.{name}"), 10, &value.to_le_bytes());
    let fields = [
        field("general.architecture", 8, &text("llama")),
        field("tokenizer.ggml.model", 8, &text("gpt2")),
        texts("tokenizer.ggml.tokens", &["<|im_start|>", "<|im_end|>", "a", "b", "ab"]),
        texts("tokenizer.ggml.merges", &["a b"]),
        whole("embedding_length", WIDTH),
        whole("attention.head_count", 1),
        whole("attention.head_count_kv", 1),
        whole("attention.key_length", 16),
        whole("block_count", 1),
        whole("feed_forward_length", 32),
        whole("context_length", 64),
        field("general.alignment", 10, &32_u64.to_le_bytes()),
    ];
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
    let mut file = [&b"GGUF"[..], &3_u32.to_le_bytes()].concat();
    file.extend((tensors.len() as u64).to_le_bytes());
    file.extend((fields.len() as u64).to_le_bytes());
    file.extend(fields.concat());
    let mut at = 0_u64;
    for (name, shape) in tensors {
        file.extend(text(&format!("{name}.weight")));
        file.extend((shape.len() as u32).to_le_bytes());
        shape.iter().for_each(|it| file.extend(it.to_le_bytes()));
        file.extend(0_u32.to_le_bytes());
        file.extend(at.to_le_bytes());
        at += 4 * shape.iter().product::<u64>();
    }
    let numbers: Vec<usize> = (8..file.len() - 8).collect();
    file.resize(file.len().next_multiple_of(32), 0);
    let mut random = fastrand::Rng::with_seed(7);
    let weights = (0..at / 4).flat_map(|_| (random.f32() - 0.5).to_le_bytes()).collect::<Vec<_>>();
    file.extend(weights);
    (file, numbers)
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
    assert!(grown < 64 << 10, "a file of {} bytes took {grown} KiB", file.len());
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
        file.extend(text(name));
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
