//! [`File`]: a GGUF that is made up.

use fastrand::Rng;

use crate::weights::to_half;

/// A GGUF that is made up. The same calls make the same bytes.
pub(super) struct File {
    family: &'static str,
    fields: Vec<Vec<u8>>,
    tensors: Vec<Tensor>,
    random: Rng,
}

struct Tensor {
    name: String,
    shape: Vec<u64>,
    kind: Kind,
    bytes: Vec<u8>,
}

/// How numbers are stored, as a GGUF numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q8_0 = 8,
    Q4K = 12,
    Q5K = 13,
    Q6K = 14,
}

pub(super) fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
}

fn field(name: &str, kind: u32, value: &[u8]) -> Vec<u8> {
    [&text(name), &kind.to_le_bytes()[..], value].concat()
}

impl File {
    pub(super) fn new(family: &'static str) -> Self {
        let random = Rng::with_seed(7);
        let mut file = Self { family, fields: Vec::new(), tensors: Vec::new(), random };
        file.text("general.architecture", family);
        file
    }

    pub(super) fn text(&mut self, name: &str, value: &str) {
        self.fields.push(field(name, 8, &text(value)));
    }

    pub(super) fn texts(&mut self, name: &str, all: &[&str]) {
        let list: Vec<u8> = all.iter().flat_map(|it| text(it)).collect();
        self.list(name, 8, all.len(), &list);
    }

    pub(super) fn wholes(&mut self, name: &str, all: &[i32]) {
        let list: Vec<u8> = all.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.list(name, 5, all.len(), &list);
    }

    fn list(&mut self, name: &str, kind: u32, many: usize, list: &[u8]) {
        let value = [&kind.to_le_bytes()[..], &(many as u64).to_le_bytes(), list].concat();
        self.fields.push(field(name, 9, &value));
    }

    pub(super) fn whole(&mut self, name: &str, value: u64) {
        self.fields.push(field(name, 10, &value.to_le_bytes()));
    }

    pub(super) fn small(&mut self, name: &str, value: u32) {
        self.fields.push(field(name, 4, &value.to_le_bytes()));
    }

    pub(super) fn fraction(&mut self, name: &str, value: f32) {
        self.fields.push(field(name, 6, &value.to_le_bytes()));
    }

    /// A measure of the model, under the name of its family.
    pub(super) fn measure(&mut self, name: &str, value: u64) {
        self.whole(&format!("{}.{name}", self.family), value);
    }

    /// Adds a tensor of numbers by chance, about so large on average.
    pub(super) fn tensor(&mut self, name: &str, shape: &[u64], kind: Kind, middle: f32) {
        let many: u64 = shape.iter().product();
        let (block, _) = kind.measures();
        let bytes = (0..many / block).flat_map(|_| kind.block(&mut self.random, middle)).collect();
        self.tensors.push(Tensor { name: name.to_owned(), shape: shape.to_vec(), kind, bytes });
    }

    /// The whole file, and how many bytes its head has.
    pub(super) fn written(&self) -> (Vec<u8>, usize) {
        let mut file = [&b"GGUF"[..], &3_u32.to_le_bytes()].concat();
        file.extend((self.tensors.len() as u64).to_le_bytes());
        file.extend((self.fields.len() as u64).to_le_bytes());
        file.extend(self.fields.concat());
        let mut at = 0_u64;
        for Tensor { name, shape, kind, bytes } in &self.tensors {
            file.extend(text(name));
            file.extend((shape.len() as u32).to_le_bytes());
            shape.iter().for_each(|it| file.extend(it.to_le_bytes()));
            file.extend((*kind as u32).to_le_bytes());
            file.extend(at.to_le_bytes());
            at += (bytes.len() as u64).next_multiple_of(32);
        }
        let head = file.len();
        for Tensor { bytes, .. } in &self.tensors {
            file.resize(file.len().next_multiple_of(32), 0);
            file.extend(bytes);
        }
        (file, head)
    }
}

impl Kind {
    /// How many numbers a block has, and how many bytes.
    fn measures(self) -> (u64, usize) {
        match self {
            Self::F32 => (1, 4),
            Self::F16 => (1, 2),
            Self::Q4_0 => (32, 18),
            Self::Q4_1 => (32, 20),
            Self::Q8_0 => (32, 34),
            Self::Q4K => (256, 144),
            Self::Q5K => (256, 176),
            Self::Q6K => (256, 210),
        }
    }

    /// A block of numbers between about -0.1 and 0.1.
    fn block(self, random: &mut Rng, middle: f32) -> Vec<u8> {
        let number = middle + (random.f32() - 0.5) / 5.0;
        if self == Self::F32 {
            return number.to_le_bytes().to_vec();
        }
        if self == Self::F16 {
            return to_half(number).to_le_bytes().to_vec();
        }
        let mut bytes: Vec<u8> = (0..self.measures().1).map(|_| random.u8(..)).collect();
        let mut put = |at: usize, number: f32| {
            bytes[at..at + 2].copy_from_slice(&to_half(number).to_le_bytes());
        };
        let vary = 0.5 + random.f32();
        match self {
            Self::Q4_0 => put(0, 0.012 * vary),
            Self::Q4_1 => {
                put(0, 0.012 * vary);
                put(2, -0.09 * vary);
            }
            Self::Q8_0 => put(0, 0.0008 * vary),
            Self::Q4K => {
                put(0, 0.000_2 * vary);
                put(2, 0.001_5 * vary);
            }
            Self::Q5K => {
                put(0, 0.000_1 * vary);
                put(2, 0.001_5 * vary);
            }
            Self::Q6K => put(208, 0.000_03 * vary),
            Self::F32 | Self::F16 => {}
        }
        bytes
    }
}
