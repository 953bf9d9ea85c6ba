//! [`Opening`]: what every chunk of a stream begins with, read only once.

/// The fields in front of `choices` (id, object, created, model, …), which a server repeats to the
/// letter in every chunk of a reply and which are more than half of it. A chunk that opens with
/// the same bytes as one that was read before has nothing new in them.
#[derive(Default)]
pub(super) struct Opening(Vec<u8>);

const CHOICES: &[u8] = b"\"choices\":";

impl Opening {
    /// The chunk without an opening that was read before, still a JSON object.
    pub(super) fn skip<'a>(&self, chunk: &'a mut [u8]) -> &'a [u8] {
        let known = self.0.len();
        let same = known > 0
            && chunk.starts_with(&self.0)
            && chunk.get(known..).is_some_and(|rest| rest.starts_with(CHOICES));
        let from = if same { known - 1 } else { 0 };
        if let (true, Some(comma)) = (same, chunk.get_mut(from)) {
            // The comma behind the opening becomes the brace in front of the rest.
            *comma = b'{';
        }
        chunk.get(from..).unwrap_or_default()
    }

    /// Makes a chunk whole again of which so many bytes were skipped.
    pub(super) fn restore(chunk: &mut [u8], skipped: usize) {
        if let (true, Some(brace)) = (skipped > 0, chunk.get_mut(skipped)) {
            *brace = b',';
        }
    }

    /// Remembers the opening of a chunk that was read whole.
    pub(super) fn learn(&mut self, chunk: &[u8]) {
        let found = memchr::memmem::find(chunk, b",\"choices\":");
        let Some(opening) = found.and_then(|at| chunk.get(..=at)) else { return };
        // Flat, so that the key found is one of the chunk itself and not of something inside it.
        let flat = memchr::memchr2_iter(b'{', b'[', opening).eq([0]);
        if flat && opening != self.0 {
            self.0 = opening.to_vec();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Opening;

    fn second(first: &str, second: &str) -> String {
        let mut opening = Opening::default();
        opening.learn(first.as_bytes());
        let mut chunk = second.as_bytes().to_vec();
        let rest = String::from_utf8(opening.skip(&mut chunk).to_vec()).unwrap();
        Opening::restore(&mut chunk, second.len() - rest.len());
        assert_eq!(chunk, second.as_bytes(), "whole again");
        rest
    }

    #[test]
    fn only_an_opening_that_is_the_same_is_skipped() {
        let first = r#"{"id":"a","model":"m","choices":[1]}"#;
        let cases = [
            (first, r#"{"id":"a","model":"m","choices":[2]}"#, r#"{"choices":[2]}"#),
            (
                first,
                r#"{"id":"b","model":"m","choices":[2]}"#,
                r#"{"id":"b","model":"m","choices":[2]}"#,
            ),
            (first, r#"{"id":"a","model":"m","error":{}}"#, r#"{"id":"a","model":"m","error":{}}"#),
            (r#"{"choices":[1]}"#, r#"{"choices":[2]}"#, r#"{"choices":[2]}"#),
            (
                r#"{"x":{"y":1,"choices":[1]}}"#,
                r#"{"x":{"y":1,"choices":[2]}}"#,
                r#"{"x":{"y":1,"choices":[2]}}"#,
            ),
        ];
        for (one, two, wanted) in cases {
            assert_eq!(second(one, two), wanted);
        }
    }
}
