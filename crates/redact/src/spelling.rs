//! How a secret reads in Base64, wherever in a longer text it stood before that was encoded; and in
//! hexadecimal digits.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The secret alone, and the letters that it alone decides when one or two bytes of a group of
/// three belong to what stands before it, as in `user:secret`.
pub(crate) fn base64(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut found = vec![encode(secret)];
    for before in 0..3 {
        let mut text = vec![0; before];
        text.extend(secret);
        let whole = encode(&text);
        // The first letters that are not partly somebody else's, and the last.
        let (first, end) = ((before * 8).div_ceil(6), text.len() * 8 / 6);
        found.extend(whole.get(first..end).map(<[u8]>::to_vec));
    }
    // As in addresses and JWTs.
    let safe = |byte: &u8| match byte {
        b'+' => b'-',
        b'/' => b'_',
        other => *other,
    };
    let other =
        |it: &Vec<u8>| memchr::memchr2(b'+', b'/', it).map(|_| it.iter().map(safe).collect());
    let others: Vec<Vec<u8>> = found.iter().filter_map(other).collect();
    found.extend(others);
    found.sort_unstable();
    found.dedup();
    found
}

/// In small digits and in large ones.
pub(crate) fn hex(secret: &[u8]) -> [Vec<u8>; 2] {
    let digits = |digits: &[u8; 16]| {
        let mut out = Vec::with_capacity(secret.len() * 2);
        for digit in secret.iter().flat_map(|byte| [byte >> 4, byte & 15]) {
            out.push(digits.get(usize::from(digit)).copied().unwrap_or_default());
        }
        out
    };
    [digits(b"0123456789abcdef"), digits(b"0123456789ABCDEF")]
}

/// Without the `=` at the end, which tells nothing.
pub(crate) fn encode(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len().div_ceil(3) * 4);
    for group in text.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=group.len() {
            let six = bits >> (18 - 6 * place) & 63;
            out.push(LETTERS.get(six as usize).copied().unwrap_or_default());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_as_others_do() {
        let encode = |text: &str| String::from_utf8(encode(text.as_bytes())).unwrap();
        let known = ["", "f", "fo", "foo", "foob", "fooba", "foobar", "\u{3ff}?>"].map(encode);
        assert_eq!(known, ["", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE", "Zm9vYmFy", "z78/Pg"]);
    }

    #[test]
    fn a_secret_is_found_wherever_it_stood() {
        let spellings = base64(b"hunter2-hunter2");
        for before in ["", "u", "us", "user:", "user1:"] {
            for after in ["", "!", "!!", "!!!"] {
                let whole = encode(format!("{before}hunter2-hunter2{after}").as_bytes());
                let found = |it: &Vec<u8>| memchr::memmem::find(&whole, it).is_some();
                assert!(spellings.iter().any(found), "{before}…{after}");
            }
        }
    }
}
