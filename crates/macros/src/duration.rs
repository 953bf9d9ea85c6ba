//! [`Millis`]: `"250ms"`, `"5s"`, `"2m"`, `"1h"`, read while compiling.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{LitStr, meta::ParseNestedMeta};

/// A length of time, in milliseconds.
#[derive(Clone, Copy)]
pub(crate) struct Millis(u64);

impl Millis {
    /// What stands after the `=`.
    pub(crate) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        let literal: LitStr = meta.value()?.parse()?;
        parse(&literal.value()).map(Self).ok_or_else(|| {
            let message = "a time is a whole number and a unit: `250ms`, `5s`, `2m` or `1h`";
            syn::Error::new(literal.span(), message)
        })
    }
}

impl ToTokens for Millis {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let millis = self.0;
        tokens.extend(quote!(::core::time::Duration::from_millis(#millis)));
    }
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
    // No time at all is a mistake everywhere: a tool could never answer, a cache never serve.
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
