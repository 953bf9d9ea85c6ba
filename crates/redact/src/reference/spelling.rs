//! How a secret reads in Base64, wherever in a longer text it stood before that was encoded; and in
//! hexadecimal digits.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// As in addresses and JWTs.
const SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The secret alone, and the letters that it alone decides when one or two bytes of a group of
/// three belong to what stands before it, as in `user:secret`.
pub(crate) fn base64(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for letters in [LETTERS, SAFE] {
        found.push(encode(secret, letters));
        for before in 0..3 {
            let mut text = vec![0; before];
            text.extend(secret);
            let whole = encode(&text, letters);
            // The first letters that are not partly somebody else's, and the last.
            let (first, end) = ((before * 8).div_ceil(6), text.len() * 8 / 6);
            found.extend(whole.get(first..end).map(<[u8]>::to_vec));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// In small digits and in large ones.
pub(crate) fn hex(secret: &[u8]) -> [Vec<u8>; 2] {
    let digits = |digits: &[u8; 16]| {
        let pairs = secret.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        pairs.filter_map(|digit| digits.get(usize::from(digit)).copied()).collect()
    };
    [digits(b"0123456789abcdef"), digits(b"0123456789ABCDEF")]
}

/// Without the `=` at the end, which tells nothing.
fn encode(text: &[u8], letters: &[u8; 64]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len().div_ceil(3) * 4);
    for group in text.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=group.len() {
            let six = bits >> (18 - 6 * place) & 63;
            out.extend(letters.get(six as usize));
        }
    }
    out
}
