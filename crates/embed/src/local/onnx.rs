//! [`Split`]: the model's file as the network and the table of its words, so that both take little memory.
//!
//! The file has its weights in eight bits, and says how each becomes a number. What runs it would do that for all of them when it
//! opens the file, and keep both: five times the file. So it is done here. The table of words is half of the file, and a
//! text needs a few rows of it: it stays as it is, and is looked up here. The others are written out, and only that is handed on.

use std::collections::HashMap;

/// The table of words, and what is found there for a text.
const WORDS: &str = "inner.embeddings.word_embeddings.weight";
/// What the network takes in place of the numbers of words.
pub(super) const FOUND: &str = "embedding";
const NUMBERS: &str = "input_ids";

/// The numbers that ONNX has for the parts of a model, of a graph, of a step and of a tensor.
const GRAPH: u64 = 7;
const STEP: u64 = 1;
const TENSOR: u64 = 5;
const INPUT: u64 = 11;
const TAKEN: u64 = 1;
const MADE: u64 = 2;
const SIZE: u64 = 1;
const KIND: u64 = 2;
const NAME: u64 = 8;
const DATA: u64 = 9;
/// The kind of numbers of 32 bits.
const FLOAT: u64 = 1;

/// The model's file, taken apart.
pub(super) struct Split {
    /// The network, which takes what was [found](FOUND) for the words of a text.
    pub(super) network: Vec<u8>,
    pub(super) words: Words,
}

/// A row of numbers for each word.
pub(super) struct Words {
    /// In eight bits.
    rows: Vec<u8>,
    scales: Vec<f32>,
    width: usize,
}

impl Words {
    /// Adds the row of a word to others; nothing where there is no such word.
    pub(super) fn find(&self, word: i32, out: &mut Vec<f32>) -> Option<()> {
        let word = usize::try_from(word).ok()?;
        let row = self.rows.get(word * self.width..(word + 1) * self.width)?;
        let scale = self.scales.get(word)?;
        out.extend(row.iter().map(|it| number(*it) * scale));
        Some(())
    }
}

impl Split {
    /// Takes a file apart; nothing where it is not built as this one is.
    pub(super) fn new(file: &[u8]) -> Option<Self> {
        let (mut network, mut words) = (Vec::new(), None);
        for field in fields(file)? {
            if field.number == GRAPH {
                let (graph, found) = graph(field.held)?;
                put(&mut network, GRAPH, &graph);
                words = Some(found);
            } else {
                network.extend_from_slice(field.whole);
            }
        }
        Some(Self { network, words: words? })
    }
}

/// The graph with its weights written out, and the table of words, which it has no more.
fn graph(message: &[u8]) -> Option<(Vec<u8>, Words)> {
    let parts = fields(message)?;
    let tensors = parts.iter().filter(|it| it.number == TENSOR).map(|it| Tensor::read(it.held));
    let tensors: Vec<Tensor<'_>> = tensors.collect::<Option<_>>()?;
    let scales: HashMap<&str, &Tensor<'_>> =
        tensors.iter().filter_map(|it| Some((it.name.strip_suffix("_scale")?, it))).collect();
    let packed: HashMap<&str, Packed<'_>> = tensors
        .iter()
        .filter_map(|it| {
            let name = it.name.strip_suffix("_q")?;
            Some((name, Packed { tensor: it, scales: scales.get(name)? }))
        })
        .collect();
    let mut graph = Vec::with_capacity(2 * message.len());
    let mut all = tensors.iter();
    for part in &parts {
        match part.number {
            STEP if is_done(part.held, &packed)? => {}
            TENSOR => match all.next()? {
                it if it.name.strip_suffix("_scale").is_some_and(|it| packed.contains_key(it)) => {}
                it => match it.name.strip_suffix("_q").filter(|it| packed.contains_key(it)) {
                    Some(WORDS) => {}
                    Some(name) => put(&mut graph, TENSOR, &packed.get(name)?.written_out(name)?),
                    None => graph.extend_from_slice(part.whole),
                },
            },
            INPUT if text(part.held, TAKEN)? == NUMBERS => put(&mut graph, INPUT, &found()),
            _ => graph.extend_from_slice(part.whole),
        }
    }
    let words = packed.get(WORDS)?;
    let [rows, width] = words.tensor.size;
    let scales: Vec<f32> = words.scales.floats().collect();
    let is_sound = words.tensor.count()? == words.tensor.data.len() && scales.len() == rows;
    let words = Words { rows: words.tensor.data.to_vec(), scales, width };
    is_sound.then_some((graph, words))
}

/// Whether a step is not needed any more: it made weights of what is packed, or looked up words.
fn is_done(step: &[u8], packed: &HashMap<&str, Packed<'_>>) -> Option<bool> {
    let made = text(step, MADE)?;
    let weights = made.strip_suffix("_f").unwrap_or(made);
    Some(packed.contains_key(weights) || made == FOUND && text(step, TAKEN)? == WORDS)
}

/// How a graph says that it takes what was found for words: by its name, and as numbers of 32 bits.
fn found() -> Vec<u8> {
    let (mut kind, mut tensor, mut input) = (Vec::new(), Vec::new(), Vec::new());
    put_whole(&mut kind, 1, FLOAT);
    put(&mut tensor, 1, &kind);
    put(&mut input, 1, FOUND.as_bytes());
    put(&mut input, 2, &tensor);
    input
}

/// A tensor of two dimensions at most.
struct Tensor<'a> {
    name: &'a str,
    size: [usize; 2],
    data: &'a [u8],
}

impl<'a> Tensor<'a> {
    fn read(message: &'a [u8]) -> Option<Self> {
        let fields = fields(message)?;
        let mut sizes = fields.iter().filter(|it| it.number == SIZE).map(|it| it.whole_number);
        let mut size = || sizes.next().map_or(Some(1), |it| usize::try_from(it).ok());
        let size = [size()?, size()?];
        let held =
            |number| fields.iter().find(|it| it.number == number).map_or(&[][..], |it| it.held);
        let name = std::str::from_utf8(held(NAME)).ok()?;
        Some(Self { name, size, data: held(DATA) })
    }

    fn count(&self) -> Option<usize> {
        let [rows, cols] = self.size;
        rows.checked_mul(cols)
    }

    fn floats(&self) -> impl Iterator<Item = f32> {
        self.data.as_chunks().0.iter().map(|it| f32::from_le_bytes(*it))
    }
}

/// Weights in eight bits, with a scale for each row or each column.
struct Packed<'a> {
    tensor: &'a Tensor<'a>,
    scales: &'a Tensor<'a>,
}

impl Packed<'_> {
    /// The tensor of this name that they stand for.
    fn written_out(&self, name: &str) -> Option<Vec<u8>> {
        let [rows, cols] = self.tensor.size;
        let scales: Vec<f32> = self.scales.floats().collect();
        let is_by_row = self.scales.size == [rows, 1];
        if !is_by_row && self.scales.size != [1, cols]
            || self.tensor.count()? != self.tensor.data.len()
        {
            return None;
        }
        let mut data = Vec::with_capacity(4 * self.tensor.data.len());
        for (at, row) in self.tensor.data.chunks_exact(cols.max(1)).enumerate() {
            let of_row = is_by_row.then(|| scales.get(at).copied()).flatten();
            for (it, of_column) in row.iter().zip(scales.iter().cycle()) {
                data.extend((number(*it) * of_row.unwrap_or(*of_column)).to_le_bytes());
            }
        }
        let mut tensor = Vec::with_capacity(data.len() + 64);
        put_whole(&mut tensor, SIZE, rows as u64);
        put_whole(&mut tensor, SIZE, cols as u64);
        put_whole(&mut tensor, KIND, FLOAT);
        put(&mut tensor, NAME, name.as_bytes());
        put(&mut tensor, DATA, &data);
        Some(tensor)
    }
}

fn number(byte: u8) -> f32 {
    f32::from(byte as i8)
}

/// A part of a message of protocol buffers.
struct Field<'a> {
    number: u64,
    /// What it holds, where that is a whole number.
    whole_number: u64,
    /// What it holds, where that has a length.
    held: &'a [u8],
    /// All of it, as it is written.
    whole: &'a [u8],
}

fn fields(message: &[u8]) -> Option<Vec<Field<'_>>> {
    let (mut found, mut rest) = (Vec::new(), message);
    while !rest.is_empty() {
        let (tag, after) = whole_number(rest)?;
        let (mut whole, mut held) = (0, &[][..]);
        let after = match tag & 7 {
            0 => {
                let (value, after) = whole_number(after)?;
                whole = value;
                after
            }
            1 => after.get(8..)?,
            2 => {
                let (length, after) = whole_number(after)?;
                let (value, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
                held = value;
                after
            }
            5 => after.get(4..)?,
            _ => return None,
        };
        let length = rest.len() - after.len();
        found.push(Field {
            number: tag >> 3,
            whole_number: whole,
            held,
            whole: rest.get(..length)?,
        });
        rest = after;
    }
    Some(found)
}

/// The first field of this number, as a text; empty where there is none.
fn text(message: &[u8], number: u64) -> Option<&str> {
    let fields = fields(message)?;
    let held = fields.iter().find(|it| it.number == number).map_or(&[][..], |it| it.held);
    std::str::from_utf8(held).ok()
}

/// A whole number, seven bits to a byte, and what follows it.
fn whole_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (byte, at) in bytes.iter().zip(0..10) {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(at + 1..)?));
        }
    }
    None
}

fn put_number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_whole(out: &mut Vec<u8>, number: u64, value: u64) {
    put_number(out, number << 3);
    put_number(out, value);
}

fn put(out: &mut Vec<u8>, number: u64, held: &[u8]) {
    put_number(out, number << 3 | 2);
    put_number(out, held.len() as u64);
    out.extend_from_slice(held);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(parts: &[(u64, &[u8])]) -> Vec<u8> {
        let mut out = Vec::new();
        parts.iter().for_each(|(number, held)| put(&mut out, *number, held));
        out
    }

    fn tensor(name: &str, size: [u64; 2], data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        size.into_iter().for_each(|it| put_whole(&mut out, SIZE, it));
        [out, message(&[(NAME, name.as_bytes()), (DATA, data)])].concat()
    }

    fn step(taken: &[&str], made: &str) -> Vec<u8> {
        let taken = taken.iter().map(|it| (TAKEN, it.as_bytes()));
        message(&taken.chain([(MADE, made.as_bytes())]).collect::<Vec<_>>())
    }

    fn floats(numbers: &[f32]) -> Vec<u8> {
        numbers.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    /// A model with two words, one weight by column, and one that is not packed.
    fn model() -> Vec<u8> {
        let bytes = |numbers: &[i8]| numbers.iter().map(|it| *it as u8).collect::<Vec<_>>();
        let named = |end: &str| format!("{WORDS}{end}");
        let graph = message(&[
            (STEP, &step(&[&named("_q")], &named("_f"))),
            (STEP, &step(&[&named("_f"), &named("_scale")], WORDS)),
            (STEP, &step(&["w_q"], "w_f")),
            (STEP, &step(&["w_f", "w_scale"], "w")),
            (STEP, &step(&[WORDS, NUMBERS], FOUND)),
            (STEP, &step(&[FOUND, "w"], "out")),
            (TENSOR, &tensor(&named("_q"), [2, 3], &bytes(&[1, -2, 3, 4, 5, -128]))),
            (TENSOR, &tensor(&named("_scale"), [2, 1], &floats(&[0.5, 2.0]))),
            (TENSOR, &tensor("w_q", [2, 3], &bytes(&[1, 2, 3, -4, -5, -6]))),
            (TENSOR, &tensor("w_scale", [1, 3], &floats(&[1.0, 10.0, 100.0]))),
            (TENSOR, &tensor("bias", [3, 1], &floats(&[7.0, 8.0, 9.0]))),
            (INPUT, &message(&[(1, NUMBERS.as_bytes())])),
            (INPUT, &message(&[(1, b"mask")])),
        ]);
        message(&[(2, b"made up"), (GRAPH, &graph)])
    }

    #[test]
    fn words_stay_packed_and_weights_are_written_out() {
        let Split { network, words } = Split::new(&model()).unwrap();
        let mut found = Vec::new();
        words.find(1, &mut found).unwrap();
        words.find(0, &mut found).unwrap();
        assert_eq!(found, [8.0, 10.0, -256.0, 0.5, -1.0, 1.5]);
        assert!(words.find(2, &mut found).is_none() && words.find(-1, &mut found).is_none());

        let file = fields(&network).unwrap();
        assert_eq!(file[0].held, b"made up");
        let parts = fields(file[1].held).unwrap();
        let held = |number| parts.iter().filter(move |it| it.number == number).map(|it| it.held);
        let steps: Vec<_> = held(STEP).map(|it| text(it, MADE).unwrap()).collect();
        assert_eq!(steps, ["out"]);
        let inputs: Vec<_> = held(INPUT).map(|it| text(it, 1).unwrap()).collect();
        assert_eq!(inputs, [FOUND, "mask"]);
        let tensors: Vec<_> = held(TENSOR).map(|it| Tensor::read(it).unwrap()).collect();
        let [weights, bias] = &tensors[..] else { panic!("{} tensors", tensors.len()) };
        assert_eq!((weights.name, weights.size), ("w", [2, 3]));
        let numbers: Vec<_> = weights.floats().collect();
        assert_eq!(numbers, [1.0, 20.0, 300.0, -4.0, -50.0, -600.0]);
        assert_eq!((bias.name, bias.floats().count()), ("bias", 3));
    }

    #[test]
    fn what_is_built_otherwise_is_refused() {
        let whole = model();
        for at in 1..whole.len() {
            assert!(Split::new(&whole[..at]).is_none(), "{at}");
        }
        assert!(Split::new(b"").is_none());
        assert!(Split::new(&message(&[(GRAPH, b"")])).is_none());
        assert!(Split::new(&[0xff; 40]).is_none());
    }
}
