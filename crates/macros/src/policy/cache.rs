//! [`Cache`]: `cache = "60s"` or `cache(…)`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Token, meta::ParseNestedMeta, token};

use super::{integer, literal, unknown};
use crate::{
    attrs::{key, once, span},
    duration::TimeLiteral,
    krate::Krate,
};

/// `cache = "60s"` or `cache(…)`.
pub(super) struct Cache {
    pub(super) at: Span,
    ttl: TimeLiteral,
    entries: Option<u64>,
}

impl Cache {
    pub(super) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        let (at, how_long) = (span(meta), "say how long an answer serves: `cache = \"60s\"`");
        if !meta.input.peek(token::Paren) {
            if !meta.input.peek(Token![=]) {
                return Err(meta.error(how_long));
            }
            return Ok(Self { at, ttl: TimeLiteral::read(meta)?, entries: None });
        }
        let (mut ttl, mut entries) = (None, None);
        meta.parse_nested_meta(|part| match key(&part).as_str() {
            "ttl" => once(&part, &mut ttl, TimeLiteral::read),
            "entries" => once(&part, &mut entries, |m| integer(m)?.base10_parse()),
            other => Err(unknown(&part, other, "`ttl` and `entries`")),
        })?;
        match ttl {
            Some(ttl) => Ok(Self { at, ttl, entries }),
            None => Err(meta.error(how_long.replace("cache =", "ttl ="))),
        }
    }

    pub(super) fn expression(&self, krate: &Krate) -> TokenStream {
        let ttl = self.ttl;
        let fields = [Some(quote!(ttl: #ttl)), self.entries.map(|it| quote!(entries: #it))];
        literal(&quote!(#krate::__private::policy::CachePolicy), &fields)
    }
}
