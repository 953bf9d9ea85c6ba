//! Where the library is, seen from the crate being compiled.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Ident, LitStr, Path, parse_quote};

/// The path everything in an expansion starts with.
#[derive(Clone)]
pub(crate) struct Krate(Path);

impl Krate {
    /// The path given with `crate = …`, or else what the manifest says: the library people add, or
    /// the core alone where a crate of the workspace depends on nothing more.
    pub(crate) fn find(given: Option<&Path>) -> syn::Result<Self> {
        if let Some(path) = given {
            return Ok(Self(path.clone()));
        }
        for package in ["toolwright", "toolwright-core"] {
            let Ok(found) = crate_name(package) else { continue };
            let name = match found {
                FoundCrate::Name(name) => name,
                // Examples, tests and doctests of the package are this too, and see it by its name.
                FoundCrate::Itself => package.replace('-', "_"),
            };
            let name = Ident::new(&name, Span::call_site());
            return Ok(Self(parse_quote!(::#name)));
        }
        Err(syn::Error::new(
            Span::call_site(),
            "the crate `toolwright` is not among the dependencies: \
             add it, or say where it is with `crate = path`",
        ))
    }

    /// The path of something below, as the string that derives take in `crate = "…"`.
    pub(crate) fn below(&self, name: &str) -> LitStr {
        let root: String = self.0.to_token_stream().to_string().split_whitespace().collect();
        LitStr::new(&format!("{root}::__private::{name}"), Span::call_site())
    }
}

impl ToTokens for Krate {
    fn to_tokens(&self, tokens: &mut proc_macro2::TokenStream) {
        self.0.to_tokens(tokens);
    }
}
