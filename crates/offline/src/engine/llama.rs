//! [`Llama`]: a language model of the llama architecture, or of one like it.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{
    DecodeSession, Shape,
    cache::Cache,
    layer::{Desk, Layer, Passing, norm},
    rope::Rope,
};
use crate::{
    OfflineError,
    weights::{Adapter, Gguf, Matrix},
};

/// More threads than this have too little to do each.
const MOST_THREADS: usize = 8;
/// Tokens that go through the layers together: more need more memory, and are no faster.
const TOGETHER: usize = 128;

/// Of which tokens it is kept what stands for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Last,
    Each,
}

/// A language model of the llama architecture, or of [one like it](super::Family). Cloning it costs nothing.
#[derive(Clone)]
pub struct Llama(Arc<Parts>);

struct Parts {
    shape: Shape,
    embedding: Matrix,
    layers: Vec<Layer>,
    norm: Vec<f32>,
    /// Nothing where it is the embedding.
    output: Option<Matrix>,
    rope: Rope,
    threads: ThreadPool,
    /// Whoever holds this reads; others wait.
    desk: Mutex<Desk>,
}

impl Llama {
    /// Reads the weights, and puts an adapter beside them.
    ///
    /// # Errors
    /// `Unsupported` where the model is of another kind, `Damaged` where something in it does not
    /// fit.
    pub fn new(gguf: &Gguf, adapter: Option<&Adapter>) -> Result<Self, OfflineError> {
        let shape = Shape::read(gguf)?;
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = ThreadPoolBuilder::new()
            .num_threads(cores.min(MOST_THREADS))
            .thread_name(|index| format!("offline-{index}"))
            .build()
            .map_err(|error| {
                OfflineError::internal(format!("No threads can be started: {error}."))
            })?;
        let layer = |index| Layer::read(gguf, adapter, &shape, index);
        let layers = threads.install(|| (0..shape.layers).map(layer).collect::<Result<_, _>>())?;
        let matrix = |name: &str| threads.install(|| Matrix::read(gguf, name));
        let parts = Parts {
            embedding: matrix("token_embd.weight")?,
            layers,
            norm: gguf.numbers("output_norm.weight")?,
            output: gguf.has("output.weight").then(|| matrix("output.weight")).transpose()?,
            rope: Rope::read(gguf, &shape)?,
            shape,
            threads,
            desk: Mutex::default(),
        };
        let output = parts.output();
        if parts.embedding.cols() != shape.width
            || output.cols() != shape.width
            || output.rows() != parts.embedding.rows()
            || parts.norm.len() != shape.width
        {
            return Err(OfflineError::damaged(
                "The model's vocabulary is not of the size it says.",
            ));
        }
        Ok(Self(Arc::new(parts)))
    }

    /// The measures of the model.
    pub fn shape(&self) -> Shape {
        self.0.shape
    }

    /// How many tokens it knows.
    pub fn vocabulary(&self) -> usize {
        self.0.embedding.rows()
    }

    /// A session that has read nothing.
    pub fn session(&self) -> DecodeSession {
        DecodeSession::new(self.clone())
    }

    /// Takes tokens through all layers, and gives what stands for the last of them, or for each. However many go together,
    /// each becomes what it would be alone, to the last bit.
    pub(super) fn read(
        &self,
        tokens: &[u32],
        begin: usize,
        caches: &mut [Cache],
        kept: Kept,
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Vec<f32>>, OfflineError> {
        // Nothing in it outlives a pass: one that panicked left nothing behind that counts.
        let mut desk = self.0.desk.lock().unwrap_or_else(PoisonError::into_inner);
        let desk = &mut *desk;
        self.work(|| self.0.pass(tokens, begin, caches, kept, wanted, desk))
    }

    /// Runs work on the model's threads.
    pub(super) fn work<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.0.threads.install(work)
    }

    pub(super) fn output(&self) -> &Matrix {
        self.0.output()
    }
}

impl Parts {
    fn output(&self) -> &Matrix {
        self.output.as_ref().unwrap_or(&self.embedding)
    }

    fn pass(
        &self,
        tokens: &[u32],
        mut begin: usize,
        caches: &mut [Cache],
        kept: Kept,
        wanted: &dyn Fn() -> bool,
        desk: &mut Desk,
    ) -> Result<Option<Vec<f32>>, OfflineError> {
        let (mut x, mut states, mut state) = (Vec::new(), Vec::new(), Vec::new());
        for tokens in portions(tokens) {
            self.embed(tokens, &mut x)?;
            let passing = Passing { shape: &self.shape, rope: &self.rope, begin };
            for (layer, cache) in self.layers.iter().zip(caches.iter_mut()) {
                if !wanted() {
                    return Ok(None);
                }
                layer.pass(passing, &mut x, cache, desk)?;
            }
            begin += tokens.len();
            let from = match kept {
                Kept::Each => 0,
                Kept::Last => x.len().saturating_sub(self.shape.width),
            };
            if kept == Kept::Last {
                states.clear();
            }
            norm(x.get(from..).unwrap_or_default(), &self.norm, self.shape.epsilon, &mut state);
            states.extend_from_slice(&state);
        }
        Ok(Some(states))
    }

    fn embed(&self, tokens: &[u32], x: &mut Vec<f32>) -> Result<(), OfflineError> {
        let (embedding, width) = (&self.embedding, self.shape.width);
        x.resize(tokens.len() * width, 0.0);
        for (token, x) in tokens.iter().zip(x.chunks_exact_mut(width)) {
            let token = usize::try_from(*token).ok().filter(|it| *it < embedding.rows());
            let token =
                token.ok_or_else(|| OfflineError::internal("The model has no such token."))?;
            embedding.row(token, x);
        }
        Ok(())
    }
}

/// Tokens in as many as are read at a time: as there is memory for, and as others can wait for.
pub fn portions(tokens: &[u32]) -> impl Iterator<Item = &[u32]> {
    tokens.chunks(TOGETHER)
}

impl fmt::Debug for Llama {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Llama").field("shape", &self.0.shape).finish_non_exhaustive()
    }
}
