//! [`PolicyAttrs`]: what `#[tool(…)]` says about how calls are treated.

mod breaker;
mod cache;
mod limit;
mod retry;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Ident, LitInt, LitStr, meta::ParseNestedMeta};

use self::{breaker::Breaker, cache::Cache, limit::Limit, retry::Retry};
use crate::{
    attrs::{names, once},
    duration::TimeLiteral,
    errors::Errors,
    krate::Krate,
};

/// What `#[tool(…)]` says about how calls are treated.
#[derive(Default)]
pub(crate) struct PolicyAttrs {
    timeout: Option<TimeLiteral>,
    idle_timeout: Option<TimeLiteral>,
    retry: Option<Retry>,
    breaker: Option<Breaker>,
    cache: Option<Cache>,
    limit: Option<Limit>,
    redact: Option<Vec<LitStr>>,
}

impl PolicyAttrs {
    /// Reads what is said under this word, if it is one of these.
    pub(crate) fn read(
        &mut self,
        word: &str,
        meta: &ParseNestedMeta<'_>,
    ) -> Option<syn::Result<()>> {
        Some(match word {
            "timeout" => once(meta, &mut self.timeout, TimeLiteral::read),
            "idle_timeout" => once(meta, &mut self.idle_timeout, TimeLiteral::read),
            "retry" => once(meta, &mut self.retry, Retry::read),
            "breaker" => once(meta, &mut self.breaker, Breaker::read),
            "cache" => once(meta, &mut self.cache, Cache::read),
            "limit" => once(meta, &mut self.limit, Limit::read),
            "redact" => once(meta, &mut self.redact, names),
            _ => return None,
        })
    }

    /// Reports what the tool's effect does not allow.
    pub(crate) fn check(&self, effect: Option<&Ident>, errors: &mut Errors) {
        let is = |variant: &str| effect.is_some_and(|effect| effect == variant);
        if let Some(retry) = &self.retry
            && !is("ReadOnly")
            && !is("Idempotent")
        {
            let message = "a retry may do twice what should be done once: mark the tool \
                           `read_only` or `idempotent` if it is, or leave `retry` out";
            errors.push(syn::Error::new(retry.at, message));
        }
        if let Some(cache) = &self.cache
            && !is("ReadOnly")
        {
            let message = "an answer from the cache would leave undone what the tool does: mark it \
                           `read_only` if it is, or leave `cache` out";
            errors.push(syn::Error::new(cache.at, message));
        }
    }

    /// An expression: the policy, if anything is said.
    pub(crate) fn expression(&self, krate: &Krate) -> Option<TokenStream> {
        let redact = self.redact.as_ref().map(|names| {
            let names = texts(names);
            quote!(redact: #names)
        });
        let fields = [
            self.timeout.map(|it| quote!(timeout: ::core::option::Option::Some(#it))),
            self.idle_timeout.map(|it| quote!(idle_timeout: ::core::option::Option::Some(#it))),
            part("retry", self.retry.as_ref().map(|it| it.expression(krate))),
            part("breaker", self.breaker.as_ref().map(|it| it.expression(krate))),
            part("cache", self.cache.as_ref().map(|it| it.expression(krate))),
            self.limit.as_ref().map(|it| it.expression(krate)).map(|it| quote!(rate: #it)),
            redact,
        ];
        let is_said = fields.iter().any(Option::is_some);
        is_said.then(|| literal(&quote!(#krate::__private::Policy), &fields))
    }
}

fn part(name: &str, value: Option<TokenStream>) -> Option<TokenStream> {
    let name = Ident::new(name, Span::call_site());
    value.map(|value| quote!(#name: ::core::option::Option::Some(#value)))
}

/// A struct of these fields. Those that are not said are the usual.
fn literal(path: &TokenStream, fields: &[Option<TokenStream>]) -> TokenStream {
    let said = fields.iter().flatten();
    // Where nothing is left to fill in, clippy would tell the user to leave this out.
    let is_open = fields.iter().any(Option::is_none);
    let rest = is_open.then(|| quote!(..::core::default::Default::default()));
    quote!(#path { #(#said,)* #rest })
}

/// A `Vec<String>`.
fn texts(names: &[LitStr]) -> TokenStream {
    quote!(::std::vec![#(::std::string::String::from(#names)),*])
}

fn integer(meta: &ParseNestedMeta<'_>) -> syn::Result<LitInt> {
    meta.value()?.parse()
}

/// A number of calls.
fn count(meta: &ParseNestedMeta<'_>) -> syn::Result<u32> {
    let literal = integer(meta)?;
    match literal.base10_parse()? {
        0 => Err(syn::Error::new(literal.span(), "give at least 1")),
        count => Ok(count),
    }
}

fn unknown(meta: &ParseNestedMeta<'_>, word: &str, known: &str) -> syn::Error {
    meta.error(format!("`{word}` is not known here: {known} are"))
}
