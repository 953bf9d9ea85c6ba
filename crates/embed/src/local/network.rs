//! [`Network`]: MiniLM, from numbers to vectors.

use std::{
    cmp::Reverse,
    iter,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, ScopedJoinHandle},
};

use rten::{Model, NodeId, RunOptions, ThreadPool};
use rten_tensor::{AsView, Layout, NdTensor};

use super::onnx::{FOUND, Split, Words};
use crate::vector;

/// How many numbers its vectors have.
pub(super) const DIMENSIONS: usize = 384;
/// Texts that go through it together: more are hardly faster, and what they take is not given back.
const MOST_TEXTS: usize = 8;

/// The model's file is 23 MB.
const MOST_BYTES: u64 = 64 << 20;

/// A text's place, and its numbers.
type Row<'a> = (usize, &'a Vec<i32>);

/// Vectors, each with its text's place.
type Share = Vec<(usize, Vec<f32>)>;

/// MiniLM, from numbers to vectors.
pub(super) struct Network {
    model: Model,
    words: Words,
    /// What was found for the words, which of them count, and which of two texts they belong to.
    inputs: [NodeId; 3],
    output: NodeId,
    /// One for each core, with one thread each: texts of a batch have nothing to say to each
    /// other, so that a core of its own for each batch wastes the least.
    pools: Vec<Arc<ThreadPool>>,
}

impl Network {
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let file = toolwright_files::read_bounded(path, MOST_BYTES);
        let split = Split::new(&file.map_err(|error| error.to_string())?);
        let Split { network, words } = split.ok_or("it is not built as the one that is known")?;
        let model = Model::load(network).map_err(|error| error.to_string())?;
        let node = |name| model.node_id(name).map_err(|error| error.to_string());
        let inputs = [node(FOUND)?, node("attention_mask")?, node("token_type_ids")?];
        let output = model.output_ids().first().copied().ok_or("it has no output")?;
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let pools = (0..cores).map(|_| Arc::new(ThreadPool::with_num_threads(1))).collect();
        Ok(Self { model, words, inputs, output, pools })
    }

    /// The vectors of texts, in their order; none when `wanted` said no in between.
    pub(super) fn run(
        &self,
        texts: &[Vec<i32>],
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Vec<Vec<f32>>>, String> {
        // Texts of one length together, so that little is padded. The longest first, so that what is
        // left at the end is short.
        let mut order: Vec<_> = texts.iter().enumerate().collect();
        order.sort_by_key(|(_, text)| Reverse(text.len()));
        let size = texts.len().div_ceil(self.pools.len().max(1)).clamp(1, MOST_TEXTS);
        let batches: Vec<&[Row<'_>]> = order.chunks(size).collect();
        let next = AtomicUsize::new(0);
        let work = |pool| self.work(&batches, &next, pool, wanted);
        let mut pools = self.pools.iter().take(batches.len());
        let Some(first) = pools.next() else { return Ok(Some(Vec::new())) };
        let shares: Vec<_> = thread::scope(|scope| {
            let others: Vec<_> = pools.map(|pool| scope.spawn(move || work(pool))).collect();
            let own = Ok(work(first));
            iter::once(own).chain(others.into_iter().map(ScopedJoinHandle::join)).collect()
        });
        let mut vectors = vec![Vec::new(); texts.len()];
        for share in shares {
            let share = share.map_err(|_| "a thread of it failed")??;
            let Some(share) = share else { return Ok(None) };
            for (place, vector) in share {
                if let Some(slot) = vectors.get_mut(place) {
                    *slot = vector;
                }
            }
        }
        Ok(Some(vectors))
    }

    /// Takes batches until none is left; gives nothing when `wanted` said no.
    fn work(
        &self,
        batches: &[&[Row<'_>]],
        next: &AtomicUsize,
        pool: &Arc<ThreadPool>,
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Share>, String> {
        let mut made = Vec::new();
        while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !wanted() {
                return Ok(None);
            }
            let rows: Vec<_> = batch.iter().map(|(_, row)| row.as_slice()).collect();
            let vectors = self.batch(&rows, pool)?;
            made.extend(batch.iter().map(|(place, _)| *place).zip(vectors));
        }
        Ok(Some(made))
    }

    fn batch(&self, rows: &[&[i32]], pool: &Arc<ThreadPool>) -> Result<Vec<Vec<f32>>, String> {
        let width = rows.iter().map(|it| it.len()).max().unwrap_or_default();
        let shape = [rows.len(), width];
        let mut found = Vec::with_capacity(rows.len() * width * DIMENSIONS);
        for row in rows {
            let padded = row.iter().chain(iter::repeat_n(&0, width - row.len()));
            for word in padded {
                self.words.find(*word, &mut found).ok_or("it does not know a word")?;
            }
        }
        let counted = rows.iter().flat_map(|row| {
            iter::repeat_n(1, row.len()).chain(iter::repeat_n(0, width - row.len()))
        });
        let mask = NdTensor::from_data(shape, counted.collect::<Vec<i32>>());
        let types = NdTensor::from_data(shape, vec![0_i32; rows.len() * width]);
        let found = NdTensor::from_data([rows.len(), width, DIMENSIONS], found);
        let [found_at, mask_at, types_at] = self.inputs;
        let inputs = vec![
            (found_at, found.view().into()),
            (mask_at, mask.view().into()),
            (types_at, types.view().into()),
        ];
        let options = RunOptions::default().with_thread_pool(Some(pool.clone()));
        let outputs = self.model.run(inputs, &[self.output], Some(options));
        let output = outputs.map_err(|it| it.to_string())?.pop().ok_or("it gave nothing")?;
        let output: NdTensor<f32, 3> = output.try_into().map_err(|_| "it gave no vectors")?;
        if output.shape() != [rows.len(), width, DIMENSIONS] {
            return Err(format!("it gave vectors of the shape {:?}", output.shape()));
        }
        let output = output.to_vec();
        let texts = output.chunks(width * DIMENSIONS).zip(rows);
        texts
            .map(|(output, row)| {
                mean(output, row.len()).ok_or_else(|| "a vector is zero".to_owned())
            })
            .collect()
    }
}

/// The mean of the vectors of the first so many places, with length 1.
fn mean(places: &[f32], count: usize) -> Option<Vec<f32>> {
    let mut sum = vec![0.0; DIMENSIONS];
    for place in places.chunks(DIMENSIONS).take(count) {
        for (all, one) in sum.iter_mut().zip(place) {
            *all += one;
        }
    }
    vector::unit(sum)
}
