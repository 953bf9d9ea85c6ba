//! [`repeats`]: a model that says the same again and again.

/// How many tokens are the same again, in all.
const TOKENS: usize = 48;
/// How often they come at least.
const TIMES: usize = 4;
/// The longest text that is told again, in tokens.
const LONGEST: usize = 64;

/// Whether tokens end with the same few, again and again: a model would go on so.
pub(super) fn repeats(tokens: &[u32]) -> bool {
    (1..=LONGEST).any(|period| {
        let same = tokens.iter().rev().zip(tokens.iter().rev().skip(period));
        // What comes so many times is the same as what stands before it all but once.
        let again = (period * TIMES).max(TOKENS) - period;
        same.take(again).take_while(|(one, other)| one == other).count() == again
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(times: usize, of: usize) -> Vec<u32> {
        (100..140).chain((0..times * of).map(|it| (it % of) as u32)).collect()
    }

    #[test]
    fn what_is_told_again_and_again_is_noticed() {
        for of in [1, 2, 7, 30, LONGEST] {
            let times = TIMES.max(TOKENS.div_ceil(of));
            assert!(repeats(&told(times, of)), "{of} tokens");
            assert!(!repeats(&told(times - 1, of)), "{of} tokens");
        }
        assert!(!repeats(&told(TIMES, LONGEST + 1)));
        assert!(!repeats(&[]));
    }
}
