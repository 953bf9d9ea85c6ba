//! [`Limit`]: `limit(…)`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{meta::ParseNestedMeta, token};

use super::{count, literal, unknown};
use crate::{
    attrs::{key, once},
    duration::TimeLiteral,
    krate::Krate,
};

/// `limit(…)`.
#[derive(Default)]
pub(super) struct Limit {
    per_run: Option<u32>,
    calls: Option<u32>,
    period: Option<TimeLiteral>,
    max_concurrent: Option<u32>,
}

impl Limit {
    pub(super) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        let mut limit = Self::default();
        if meta.input.peek(token::Paren) {
            meta.parse_nested_meta(|part| match key(&part).as_str() {
                "per_run" => once(&part, &mut limit.per_run, count),
                "calls" => once(&part, &mut limit.calls, count),
                "period" => once(&part, &mut limit.period, TimeLiteral::read),
                "max_concurrent" => once(&part, &mut limit.max_concurrent, count),
                other => {
                    Err(unknown(&part, other, "`per_run`, `calls`, `period` and `max_concurrent`"))
                }
            })?;
        }
        if limit.period.is_some() && limit.calls.is_none() {
            return Err(meta.error("`period` says in what time, but not how many: add `calls`"));
        }
        if limit.per_run.or(limit.calls).or(limit.max_concurrent).is_none() {
            let message = "say how often: `limit(per_run = 3)`, `limit(calls = 10, period = \"1s\")` \
                           or `limit(max_concurrent = 2)`";
            return Err(meta.error(message));
        }
        Ok(limit)
    }

    pub(super) fn expression(&self, krate: &Krate) -> TokenStream {
        let fields = [
            self.per_run.map(|it| quote!(per_run: ::core::option::Option::Some(#it))),
            self.calls.map(|it| quote!(calls: ::core::option::Option::Some(#it))),
            self.period.map(|it| quote!(period: ::core::option::Option::Some(#it))),
            self.max_concurrent.map(|it| quote!(max_concurrent: ::core::option::Option::Some(#it))),
        ];
        literal(&quote!(#krate::__private::policy::RateLimit), &fields)
    }
}
