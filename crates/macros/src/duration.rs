//! `"250ms"`, `"5s"`, `"2m"`, `"1h"`, read while compiling.

use syn::LitStr;

/// The milliseconds a literal stands for.
pub(crate) fn millis(literal: &LitStr) -> syn::Result<u64> {
    parse(&literal.value()).ok_or_else(|| {
        syn::Error::new(
            literal.span(),
            "a timeout is a whole number and a unit: `250ms`, `5s`, `2m` or `1h`",
        )
    })
}

fn parse(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim_start() {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    // A tool that may take no time at all can never answer.
    number.parse::<u64>().ok()?.checked_mul(unit).filter(|millis| *millis > 0)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_every_unit() {
        let read = ["250ms", "5s", "2m", "1h", "5 s"].map(parse);
        assert_eq!(read, [Some(250), Some(5_000), Some(120_000), Some(3_600_000), Some(5_000)]);
    }

    #[test]
    fn refuses_what_is_no_length_of_time() {
        for text in ["", "5", "s", "0s", "1.5s", "-5s", "5 sec", "99999999999999999999h"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
