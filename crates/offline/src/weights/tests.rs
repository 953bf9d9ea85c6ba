use rten_simd::{Isa, SimdOp};
use serde::Deserialize;

use super::{
    Adapter,
    blocks::Kind,
    gguf::Rows,
    half::{from_half, to_half},
    kernels::{weighed, write_halves},
    matrix::Matrix,
    vectors::Vectors,
};

#[derive(Deserialize)]
struct Case {
    kind: u32,
    name: String,
    bytes: Vec<u8>,
    numbers: Vec<f32>,
}

#[test]
fn numbers_are_those_that_another_implementation_reads() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../tests/golden/blocks.json")).unwrap();
    for case in cases {
        let kind = Kind::of(case.kind).unwrap();
        assert_eq!(kind.bytes(case.numbers.len()), case.bytes.len(), "{}", case.name);
        let mut numbers = vec![0.0; case.numbers.len()];
        kind.numbers(&case.bytes, &mut numbers);
        for (number, expected) in numbers.iter().zip(&case.numbers) {
            let tolerance = expected.abs() * 1e-6 + 1e-12;
            assert!((number - expected).abs() <= tolerance, "{}: {number} {expected}", case.name);
        }
    }
}

/// Numbers between -1 and 1 that look as if by chance.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| random.f32() * 2.0 - 1.0).collect()
}

#[test]
fn products_do_not_depend_on_how_many_vectors_there_are() {
    for (rows, cols) in [(100, 64), (5, 16), (577, 96)] {
        let weights = numbers(rows * cols, 1);
        let matrix = Matrix::of_numbers(rows, cols, &weights);
        for many in [1, 2, 11, 12, 40] {
            let x = numbers(many * cols, 2);
            let mut out = vec![0.0; many * rows];
            matrix.multiply(&Vectors::new(&x, matrix.cols()), &mut out, &mut Vec::new()).unwrap();
            for (x, out) in x.chunks(cols).zip(out.chunks(rows)) {
                for (row, out) in weights.chunks(cols).zip(out) {
                    let expected: f32 = row.iter().zip(x).map(|(a, b)| a * b).sum();
                    // Eight bits leave an error of a 250th, at most, in each of them.
                    assert!((out - expected).abs() < 0.004 * cols as f32, "{out} {expected}");
                }
            }
        }
    }
}

/// Numbers of four bits, as blocks of a file have them.
fn four_bits(rows: usize, cols: usize, seed: u64) -> Rows {
    let mut random = fastrand::Rng::with_seed(seed);
    let block = |_| {
        let mut block = [0_u8; 20];
        random.fill(&mut block);
        // A scale and a least value of a usual size.
        block[..4].copy_from_slice(&[0x66, 0x2e, 0x66, 0xae]);
        block
    };
    let bytes = (0..rows * cols / 32).flat_map(block).collect();
    Rows { rows, cols, kind: Kind::Q4_1, bytes }
}

#[test]
fn each_of_several_vectors_is_multiplied_as_if_it_were_alone() {
    let (rows, cols) = (100, 96);
    let eight = Matrix::of_numbers(rows, cols, &numbers(rows * cols, 5));
    for matrix in [eight, Matrix::of_rows(&four_bits(rows, cols, 6))] {
        for many in [2, 3, 4, 5, 7, 11, 30] {
            let x = numbers(many * cols, 7);
            let mut together = vec![0.0; many * rows];
            matrix
                .multiply(&Vectors::new(&x, matrix.cols()), &mut together, &mut Vec::new())
                .unwrap();
            for (x, together) in x.chunks(cols).zip(together.chunks(rows)) {
                let mut alone = vec![0.0; rows];
                matrix.multiply(&Vectors::new(x, cols), &mut alone, &mut Vec::new()).unwrap();
                assert_eq!(alone, together, "{many}");
            }
        }
    }
}

#[test]
fn the_greatest_product_is_found_among_those_allowed() {
    let matrix = Matrix::of_numbers(500, 32, &numbers(500 * 32, 3));
    let x = numbers(32, 4);
    let mut products = vec![0.0; 500];
    matrix.multiply(&Vectors::new(&x, matrix.cols()), &mut products, &mut Vec::new()).unwrap();
    for part in [1, 2, 7, 499] {
        let allowed = |row: usize| row.is_multiple_of(part);
        let best = (0..500)
            .filter(|row| allowed(*row))
            .max_by(|a, b| products[*a].total_cmp(&products[*b]));
        assert_eq!(matrix.greatest(&x, &allowed).map(|it| it.0), best);
    }
}

/// Lines of 16-bit numbers, written out and added to rows that begin 100 apart.
struct Added<'a> {
    times: &'a [[f32; 40]],
    lines: &'a [u16],
    width: usize,
}

impl SimdOp for Added<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) -> Vec<f32> {
        let mut plain = vec![0.0; self.lines.len()];
        write_halves(isa, self.lines, &mut plain);
        let mut out = vec![1.0; self.times.len() * 100];
        weighed(isa, self.times, 3..30, &plain, self.width, &mut out, 100);
        out
    }
}

#[test]
fn lines_are_added_to_each_row_as_if_it_were_alone() {
    for width in [16, 48, 64, 80] {
        let lines: Vec<u16> = numbers(27 * width, 8).into_iter().map(to_half).collect();
        let lines: Vec<u16> =
            lines.into_iter().map(|it| if it & 0x7c00 == 0 { 0 } else { it }).collect();
        for rows in [1, 2, 3, 5, 6, 7, 14] {
            let times: Vec<[f32; 40]> =
                (0..rows).map(|row| numbers(40, 9 + row).try_into().unwrap()).collect();
            let out = Added { times: &times, lines: &lines, width }.dispatch();
            for (times, out) in times.iter().zip(out.chunks(100)) {
                for (at, out) in out.iter().enumerate() {
                    let column = lines.iter().skip(at).step_by(width).map(|it| from_half(*it));
                    let sum: f32 = times[3..30].iter().zip(column).map(|(a, b)| a * b).sum();
                    let expected = if at < width { 1.0 + sum } else { 1.0 };
                    assert!((out - expected).abs() < 1e-4, "{width} {rows} {at}: {out} {expected}");
                }
                let alone = Added { times: &[*times], lines: &lines, width }.dispatch();
                assert_eq!(alone, out);
            }
        }
    }
}

#[test]
fn an_adapter_may_have_numbers_of_eight_bits() {
    let head = r#"{"__metadata__":{"scale":"4"},
        "m.lora_a":{"dtype":"I8","shape":[16,2],"data_offsets":[0,32]},
        "m.lora_a.scale":{"dtype":"F32","shape":[16],"data_offsets":[32,96]},
        "m.lora_b":{"dtype":"F16","shape":[1,16],"data_offsets":[96,128]}}"#;
    let mut file = (head.len() as u64).to_le_bytes().to_vec();
    file.extend(head.as_bytes());
    file.extend((0..32).map(|it| if it < 2 { 127u8 } else { 0 }));
    file.extend([0.5f32; 16].iter().flat_map(|it| it.to_le_bytes()));
    file.extend([0x3c00u16; 16].iter().flat_map(|it| it.to_le_bytes()));
    let adapter = Adapter::new(&file).unwrap();
    assert_eq!(adapter.len(), 1);
    assert!(adapter.pair("other", 2, 1).unwrap().is_none());
    assert!(adapter.pair("m", 3, 1).is_err());
    let pair = adapter.pair("m", 2, 1).unwrap().unwrap();
    let (mut thin, mut out) = (vec![0.0; 16], vec![0.0]);
    pair.down.multiply(&Vectors::new(&[1.0, 1.0], 2), &mut thin, &mut Vec::new()).unwrap();
    pair.up.multiply(&Vectors::new(&thin, 16), &mut out, &mut Vec::new()).unwrap();
    assert!((out[0] - 4.0 * 127.0).abs() < 0.01, "{out:?}");
}
