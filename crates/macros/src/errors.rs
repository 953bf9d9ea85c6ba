//! [`Errors`]: everything that is wrong with an item, told in one go.

use std::fmt::Display;

use quote::ToTokens;

/// Errors collected so far.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds one, at the tokens it is about.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds one.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// The value, or the error in its place.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// These, and one that leaves nothing to go on with.
    pub(crate) fn and(mut self, last: syn::Error) -> syn::Error {
        match self.0.take() {
            Some(mut first) => {
                first.combine(last);
                first
            }
            None => last,
        }
    }

    /// The value, if nothing was wrong.
    pub(crate) fn finish<T>(self, value: T) -> syn::Result<T> {
        match self.0 {
            Some(error) => Err(error),
            None => Ok(value),
        }
    }
}
