//! [`TimeLiteral`]: `"250ms"`, `"30s"`, `"1h 30m"`, read while compiling, in the words of a config file.

use std::time::Duration;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{LitStr, meta::ParseNestedMeta};
use toolwright_duration::{DurationError, parse, parse_nonzero};

/// A length of time.
#[derive(Clone, Copy)]
pub(crate) struct TimeLiteral(Duration);

impl TimeLiteral {
    /// What stands after the `=`, in which something can be done: a tool could never answer in no time,
    /// a cache never serve.
    pub(crate) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        Self::parsed(meta, parse_nonzero)
    }

    /// What stands after the `=`, which may be no time: a wait.
    pub(crate) fn read_wait(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        Self::parsed(meta, parse)
    }

    fn parsed(
        meta: &ParseNestedMeta<'_>,
        parse: impl Fn(&str) -> Result<Duration, DurationError>,
    ) -> syn::Result<Self> {
        let literal: LitStr = meta.value()?.parse()?;
        parse(&literal.value()).map(Self).map_err(|error| syn::Error::new(literal.span(), error))
    }
}

impl ToTokens for TimeLiteral {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        // What was read has fewer.
        let nanos = u64::try_from(self.0.as_nanos()).unwrap_or(u64::MAX);
        tokens.extend(quote!(::core::time::Duration::from_nanos(#nanos)));
    }
}

#[cfg(test)]
mod tests {
    use syn::{Attribute, parse_quote};

    use super::*;

    #[test]
    fn an_attribute_says_what_a_config_file_says() {
        let spellings = include_str!("../../duration/spellings.txt");
        for (text, wanted) in spellings.lines().filter_map(|line| line.split_once('\t')) {
            let attribute: Attribute = parse_quote!(#[tool(timeout = #text)]);
            let mut read = None;
            let parsed = attribute.parse_nested_meta(|meta| {
                read = Some(TimeLiteral::read(&meta)?.0);
                Ok(())
            });
            match (parsed, wanted.parse()) {
                (Ok(()), Ok(millis)) => assert_eq!(read, Some(Duration::from_millis(millis))),
                (Err(error), Err(_)) => assert!(error.to_string().contains(wanted), "{error}"),
                (parsed, _) => panic!("{text}: {parsed:?}, not {wanted}"),
            }
        }
    }
}
