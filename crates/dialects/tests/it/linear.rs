//! Texts that would make a reader work: each is read to its end, and the same in pieces. A reader
//! that looked at things again and again would only be slow here, and no test asks how slow: the
//! times, by which one that did was found, are told by `examples/throughput`.

#[path = "../../examples/throughput/floods.rs"]
mod floods;

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use toolwright_dialects::Dialect;

use self::floods::{FLOODS, Flood};
use super::laws::{Reply, settled};

const SIZE: usize = 60_000;

/// What is read a second time, with every dialect at once.
const AUTO_SIZE: usize = 20_000;

#[test]
fn a_flood_reads_the_same_whole_and_in_pieces() {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(flood) = FLOODS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(flood, flood.dialect, SIZE);
                    check(flood, Dialect::Auto, AUTO_SIZE);
                }
            });
        }
    });
}

fn check(flood: &Flood, dialect: Dialect, size: usize) {
    let (tools, text) = (floods::tools(), flood.text(size));
    let reply = Reply { dialect, tools, text, in_reasoning: false, cut_off: false };
    let whole = settled(&reply.read([reply.text.as_str()]));
    let pieces = settled(&reply.read(pieces(&reply.text)));
    let name = [flood.opening, flood.unit, flood.closing];
    assert!(whole.is_ok(), "{dialect}, {name:?}: {whole:?}");
    assert!(whole == pieces, "{dialect}, {name:?}: it differs in pieces");
}

/// The text in pieces of seven bytes, or little more.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(7));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}
