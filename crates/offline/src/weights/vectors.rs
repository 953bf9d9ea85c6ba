//! [`Vectors`]: what matrices are multiplied by.

use super::{kernels::VectorPanel, store::BLOCK};

/// How many vectors are multiplied at once, as long as there are as many: as there are registers for.
pub(super) const MOST: usize = 8;
/// The same for what is left.
pub(super) const SOME: usize = 4;

/// Vectors, laid out as they are multiplied: numbers at the same place of [those that are multiplied at once](Vectors::panels)
/// lie side by side.
#[derive(Debug, Default)]
pub(crate) struct Vectors {
    many: usize,
    cols: usize,
    numbers: Vec<f32>,
    /// The sums of each 32, laid out likewise.
    sums: Vec<f32>,
}

impl Vectors {
    /// How many are multiplied at once, where there are as many: shares of them are best multiples of that.
    pub(crate) const TOGETHER: usize = MOST;

    /// Vectors of so many numbers each, one behind the other.
    pub(crate) fn new(x: &[f32], cols: usize) -> Self {
        let mut vectors = Self::default();
        vectors.put(x, cols);
        vectors
    }

    /// Takes others in their place.
    pub(crate) fn put(&mut self, x: &[f32], cols: usize) {
        self.cols = cols.max(1);
        self.many = x.len() / self.cols;
        self.numbers.clear();
        self.numbers.resize(self.many * self.width(), 0.0);
        self.sums.clear();
        let (width, mut rest) = (self.width(), self.numbers.as_mut_slice());
        let mut vectors = x.chunks_exact(self.cols);
        for size in sizes(self.many) {
            let (group, others) = rest.split_at_mut(size * width);
            for (index, vector) in vectors.by_ref().take(size).enumerate() {
                let places = group.iter_mut().skip(index).step_by(size);
                places.zip(vector).for_each(|(place, it)| *place = *it);
            }
            for block in group.chunks_exact(size * BLOCK) {
                let at = self.sums.len();
                self.sums.resize(at + size, 0.0);
                let (_, sums) = self.sums.split_at_mut(at);
                for numbers in block.chunks_exact(size) {
                    sums.iter_mut().zip(numbers).for_each(|(sum, it)| *sum += it);
                }
            }
            rest = others;
        }
    }

    /// How many there are.
    pub(crate) fn many(&self) -> usize {
        self.many
    }

    /// How many numbers each has.
    pub(crate) fn cols(&self) -> usize {
        self.cols
    }

    /// How many each has here: whole blocks.
    fn width(&self) -> usize {
        self.cols.next_multiple_of(BLOCK)
    }

    /// Those that are multiplied at once.
    pub(super) fn panels(&self) -> impl Iterator<Item = Panel<'_>> {
        let (width, blocks) = (self.width(), self.width() / BLOCK);
        let (mut numbers, mut sums) = (self.numbers.as_slice(), self.sums.as_slice());
        sizes(self.many).map(move |size| {
            let (own, others) = numbers.split_at(size * width);
            let (own_sums, other_sums) = sums.split_at(size * blocks);
            (numbers, sums) = (others, other_sums);
            Panel { size, numbers: own, sums: own_sums }
        })
    }
}

/// Vectors that are multiplied at once.
pub(super) struct Panel<'a> {
    pub(super) size: usize,
    numbers: &'a [f32],
    sums: &'a [f32],
}

impl<'a> Panel<'a> {
    /// As many as there are.
    #[inline(always)]
    pub(super) fn as_chunks<const V: usize>(&self) -> VectorPanel<'a, V> {
        VectorPanel { numbers: self.numbers.as_chunks().0, sums: self.sums.as_chunks().0 }
    }
}

fn sizes(mut many: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let size = [MOST, SOME, 1].into_iter().find(|it| *it <= many)?;
        many -= size;
        Some(size)
    })
}
