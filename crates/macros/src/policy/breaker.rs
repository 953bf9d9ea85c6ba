//! [`Breaker`]: `breaker` or `breaker(…)`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Lit, Token, meta::ParseNestedMeta, token};

use super::{count, literal, unknown};
use crate::{
    attrs::{key, once},
    duration::TimeLiteral,
    krate::Krate,
};

/// `breaker` or `breaker(…)`.
#[derive(Default)]
pub(super) struct Breaker {
    failures: Option<f64>,
    window: Option<u32>,
    min_calls: Option<u32>,
    cooldown: Option<TimeLiteral>,
}

impl Breaker {
    pub(super) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        let mut breaker = Self::default();
        if !meta.input.peek(token::Paren) {
            return match meta.input.peek(Token![=]) {
                true => Err(meta.error("write `breaker`, or `breaker(failures = 0.5, …)`")),
                false => Ok(breaker),
            };
        }
        meta.parse_nested_meta(|part| match key(&part).as_str() {
            "failures" => once(&part, &mut breaker.failures, share),
            "window" => once(&part, &mut breaker.window, count),
            "min_calls" => once(&part, &mut breaker.min_calls, count),
            "cooldown" => once(&part, &mut breaker.cooldown, TimeLiteral::read),
            other => Err(unknown(&part, other, "`failures`, `window`, `min_calls` and `cooldown`")),
        })?;
        let (window, least) = (breaker.window.unwrap_or(20), breaker.min_calls.unwrap_or(5));
        if window < least {
            return Err(meta.error(format!(
                "it looks at the last {window} calls and waits for {least} of them: `window` has \
                 to be at least `min_calls`"
            )));
        }
        Ok(breaker)
    }

    pub(super) fn expression(&self, krate: &Krate) -> TokenStream {
        let fields = [
            self.failures.map(|it| quote!(failures: #it)),
            self.window.map(|it| quote!(window: #it)),
            self.min_calls.map(|it| quote!(min_calls: #it)),
            self.cooldown.map(|it| quote!(cooldown: #it)),
        ];
        literal(&quote!(#krate::__private::policy::CircuitBreaker), &fields)
    }
}

fn share(meta: &ParseNestedMeta<'_>) -> syn::Result<f64> {
    let literal: Lit = meta.value()?.parse()?;
    let share = match &literal {
        Lit::Float(float) => float.base10_parse().ok(),
        Lit::Int(int) => int.base10_parse().ok(),
        _ => None,
    };
    share.filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| {
        syn::Error::new(literal.span(), "give the share of calls that fail, from 0.0 to 1.0")
    })
}
