//! [`Cache`]: `cache = "60s"` or `cache(…)`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{LitStr, Token, meta::ParseNestedMeta, token};

use super::{integer, literal, texts, unknown};
use crate::{
    attrs::{key, names_if_any, once, span},
    duration::Millis,
    krate::Krate,
};

/// `cache = "60s"` or `cache(…)`.
pub(super) struct Cache {
    pub(super) at: Span,
    ttl: Millis,
    pub(super) by: Option<Vec<LitStr>>,
    entries: Option<u64>,
}

impl Cache {
    pub(super) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        let (at, how_long) = (span(meta), "say how long an answer serves: `cache = \"60s\"`");
        if !meta.input.peek(token::Paren) {
            if !meta.input.peek(Token![=]) {
                return Err(meta.error(how_long));
            }
            return Ok(Self { at, ttl: Millis::read(meta)?, by: None, entries: None });
        }
        let (mut ttl, mut by, mut entries) = (None, None, None);
        meta.parse_nested_meta(|part| match key(&part).as_str() {
            "ttl" => once(&part, &mut ttl, Millis::read),
            "by" => once(&part, &mut by, names_if_any),
            "entries" => once(&part, &mut entries, |m| integer(m)?.base10_parse()),
            other => Err(unknown(&part, other, "`ttl`, `by` and `entries`")),
        })?;
        match ttl {
            Some(ttl) => Ok(Self { at, ttl, by, entries }),
            None => Err(meta.error(how_long.replace("cache =", "ttl ="))),
        }
    }

    pub(super) fn expression(&self, krate: &Krate) -> TokenStream {
        let ttl = self.ttl;
        let fields = [
            Some(quote!(ttl: #ttl)),
            self.by.as_deref().map(texts).map(|it| quote!(by: #it)),
            self.entries.map(|it| quote!(entries: #it)),
        ];
        literal(&quote!(#krate::policy::Cache), &fields)
    }
}
