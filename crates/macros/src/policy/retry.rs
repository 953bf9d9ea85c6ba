//! [`Retry`]: `retry = 3` or `retry(…)`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Ident, LitInt, LitStr, Token, meta::ParseNestedMeta, token};

use super::{literal, unknown};
use crate::{
    attrs::{key, once, span},
    duration::TimeLiteral,
    krate::Krate,
};

/// `retry = 3` or `retry(…)`.
pub(super) struct Retry {
    pub(super) at: Span,
    attempts: Option<u32>,
    initial_backoff: Option<TimeLiteral>,
    max_backoff: Option<TimeLiteral>,
    /// The variant of `RetryOn`.
    on: Option<Ident>,
}

impl Retry {
    pub(super) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        let mut retry = Self {
            at: span(meta),
            attempts: None,
            initial_backoff: None,
            max_backoff: None,
            on: None,
        };
        if !meta.input.peek(token::Paren) {
            if !meta.input.peek(Token![=]) {
                return Err(meta.error("say how often it is tried: `retry = 3`"));
            }
            retry.attempts = Some(attempts(meta)?);
            return Ok(retry);
        }
        meta.parse_nested_meta(|part| match key(&part).as_str() {
            "attempts" => once(&part, &mut retry.attempts, attempts),
            "initial_backoff" => once(&part, &mut retry.initial_backoff, TimeLiteral::read_wait),
            "max_backoff" => once(&part, &mut retry.max_backoff, TimeLiteral::read_wait),
            "on" => once(&part, &mut retry.on, on),
            other => {
                Err(unknown(&part, other, "`attempts`, `initial_backoff`, `max_backoff` and `on`"))
            }
        })?;
        Ok(retry)
    }

    pub(super) fn expression(&self, krate: &Krate) -> TokenStream {
        let fields = [
            self.attempts.map(|it| quote!(attempts: #it)),
            self.initial_backoff.map(|it| quote!(initial_backoff: #it)),
            self.max_backoff.map(|it| quote!(max_backoff: #it)),
            self.on.as_ref().map(|it| quote!(on: #krate::__private::policy::RetryOn::#it)),
        ];
        literal(&quote!(#krate::__private::policy::Retry), &fields)
    }
}

fn attempts(meta: &ParseNestedMeta<'_>) -> syn::Result<u32> {
    let literal: LitInt = meta.value()?.parse()?;
    match literal.base10_parse()? {
        0 | 1 => Err(syn::Error::new(
            literal.span(),
            "the first attempt counts, too: give at least 2, or leave `retry` out",
        )),
        attempts => Ok(attempts),
    }
}

fn on(meta: &ParseNestedMeta<'_>) -> syn::Result<Ident> {
    let literal: LitStr = meta.value()?.parse()?;
    let variant = match literal.value().as_str() {
        "temporary" => "Temporary",
        "any" => "Any",
        _ => return Err(syn::Error::new(literal.span(), "write `\"temporary\"` or `\"any\"`")),
    };
    Ok(Ident::new(variant, Span::call_site()))
}
