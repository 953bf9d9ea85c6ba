//! [`ParamAttrs`]: what stands in `#[tool(…)]` on a parameter.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Attribute, Expr, ExprLit, Ident, Lit, LitStr, Token, meta::ParseNestedMeta, parse::ParseStream,
    token,
};

use crate::attrs::{key, names, once, span, words};

const KNOWN: &str = "`default`, `range`, `length`, `pattern` (or `regex`), `rename`, `grounded`, \
                     `free_text`, `executable`, `generated`, `seen`, `asked_by`, `even_unseen` \
                     and `args`";

/// What stands in `#[tool(…)]` on a parameter.
#[derive(Default)]
pub(crate) struct ParamAttrs {
    pub(crate) default: Option<DefaultValue>,
    /// What schemars is told about the value: `range(…)`, `length(…)`, `regex(…)`.
    pub(crate) range: Option<TokenStream>,
    pub(crate) length: Option<TokenStream>,
    pub(crate) pattern: Option<TokenStream>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) grounded: Option<Marked>,
    pub(crate) free_text: Option<Marked>,
    pub(crate) executable: Option<Marked>,
    pub(crate) generated: Option<Marked>,
    pub(crate) seen: Option<Marked>,
    /// The words by which people ask for it.
    pub(crate) asked_by: Option<Vec<LitStr>>,
    /// The words by which people ask for it where nobody has seen what it is done to.
    pub(crate) even_unseen: Option<Vec<LitStr>>,
    /// Where `args` stands: the parameter is the whole arguments object.
    pub(crate) args: Option<Span>,
}

/// The value of a parameter the model leaves out.
pub(crate) enum DefaultValue {
    /// The type's own.
    OfType,
    /// This one.
    Given(Expr),
}

/// What `grounded`, `free_text`, `executable`, `generated` or `seen` is said of.
pub(crate) struct Marked {
    pub(crate) at: Span,
    /// The fields named in parentheses; none where it is said of the parameter itself.
    pub(crate) fields: Vec<LitStr>,
    /// The parameter its values must belong to: `grounded(with = "…")`.
    pub(crate) with: Option<LitStr>,
}

impl ParamAttrs {
    /// Reads every `#[tool(…)]` among the attributes of a parameter.
    pub(crate) fn parse(attrs: &[Attribute]) -> syn::Result<Self> {
        let mut found = Self::default();
        for attr in attrs.iter().filter(|attr| is_tool(attr)) {
            attr.parse_nested_meta(|meta| found.read(&meta))?;
        }
        Ok(found)
    }

    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        match key(meta).as_str() {
            "default" => once(meta, &mut self.default, default),
            "range" => once(meta, &mut self.range, bounds),
            "length" => once(meta, &mut self.length, bounds),
            "pattern" | "regex" => once(meta, &mut self.pattern, pattern),
            "rename" => once(meta, &mut self.rename, |m| m.value()?.parse()),
            "grounded" => once(meta, &mut self.grounded, grounded),
            "free_text" => once(meta, &mut self.free_text, marked),
            "executable" => once(meta, &mut self.executable, marked),
            "generated" => once(meta, &mut self.generated, marked),
            "seen" => once(meta, &mut self.seen, marked),
            "asked_by" => once(meta, &mut self.asked_by, words),
            "even_unseen" => once(meta, &mut self.even_unseen, words),
            "args" => once(meta, &mut self.args, |m| Ok(span(m))),
            other => Err(meta.error(format!("`{other}` is not known here: {KNOWN} are"))),
        }
    }

    /// What of these makes no sense on a parameter that is the whole arguments object.
    pub(crate) fn about_one_value(&self) -> Option<&'static str> {
        let said = [
            (self.default.is_some(), "default"),
            (self.range.is_some(), "range"),
            (self.length.is_some(), "length"),
            (self.pattern.is_some(), "pattern"),
            (self.rename.is_some(), "rename"),
            (self.grounded.as_ref().is_some_and(|m| m.fields.is_empty()), "grounded"),
            (self.free_text.as_ref().is_some_and(|m| m.fields.is_empty()), "free_text"),
            (self.executable.as_ref().is_some_and(|m| m.fields.is_empty()), "executable"),
            (self.generated.as_ref().is_some_and(|m| m.fields.is_empty()), "generated"),
            (self.seen.as_ref().is_some_and(|m| m.fields.is_empty()), "seen"),
            (self.asked_by.is_some(), "asked_by"),
            (self.even_unseen.is_some(), "even_unseen"),
        ];
        said.into_iter().find_map(|(is_said, word)| is_said.then_some(word))
    }
}

/// Whether an attribute of a parameter is ours.
pub(crate) fn is_tool(attr: &Attribute) -> bool {
    attr.path().is_ident("tool")
}

fn default(meta: &ParseNestedMeta<'_>) -> syn::Result<DefaultValue> {
    if !meta.input.peek(Token![=]) {
        return Ok(DefaultValue::OfType);
    }
    Ok(DefaultValue::Given(meta.value()?.parse()?))
}

/// `(min = …, max = …)`, either or both, under the name it was given.
fn bounds(meta: &ParseNestedMeta<'_>) -> syn::Result<TokenStream> {
    let (mut min, mut max) = (None::<Expr>, None::<Expr>);
    if meta.input.peek(token::Paren) {
        meta.parse_nested_meta(|bound| match key(&bound).as_str() {
            "min" => once(&bound, &mut min, |m| m.value()?.parse()),
            "max" => once(&bound, &mut max, |m| m.value()?.parse()),
            other => Err(bound.error(format!("`{other}` is not known here: `min` and `max` are"))),
        })?;
    }
    let bounds = [min.map(|min| quote!(min = #min)), max.map(|max| quote!(max = #max))];
    let bounds: Vec<_> = bounds.into_iter().flatten().collect();
    if bounds.is_empty() {
        let word = key(meta);
        return Err(meta.error(format!("give a bound: `{word}(min = …)`, `{word}(max = …)`")));
    }
    let word = &meta.path;
    Ok(quote!(#word(#(#bounds),*)))
}

fn pattern(meta: &ParseNestedMeta<'_>) -> syn::Result<TokenStream> {
    let pattern: LitStr = meta.value()?.parse()?;
    Ok(quote!(regex(pattern = #pattern)))
}

fn marked(meta: &ParseNestedMeta<'_>) -> syn::Result<Marked> {
    let fields = if meta.input.peek(token::Paren) { names(meta)? } else { Vec::new() };
    Ok(Marked { at: span(meta), fields, with: None })
}

/// `grounded`, `grounded("…", "…")`, or `grounded(with = "…")`.
fn grounded(meta: &ParseNestedMeta<'_>) -> syn::Result<Marked> {
    let is_list = |input: ParseStream<'_>| {
        let ahead = input.fork();
        let content;
        syn::parenthesized!(content in ahead);
        Ok::<_, syn::Error>(!content.peek(Ident))
    };
    if !meta.input.peek(token::Paren) || is_list(meta.input)? {
        return marked(meta);
    }
    let mut with = None::<LitStr>;
    meta.parse_nested_meta(|inner| match key(&inner).as_str() {
        "with" => once(&inner, &mut with, |m| m.value()?.parse()),
        other => Err(inner.error(format!("`{other}` is not known here: `with` is"))),
    })?;
    Ok(Marked { at: span(meta), fields: Vec::new(), with })
}

impl DefaultValue {
    /// The body of the function that makes the value; nothing for the type's own.
    pub(crate) fn body(&self) -> Option<TokenStream> {
        match self {
            Self::OfType => None,
            // No parameter is a `&str`, so text in quotes can only be meant to be converted.
            Self::Given(text @ Expr::Lit(ExprLit { lit: Lit::Str(_), .. })) => {
                Some(quote!(::core::convert::Into::into(#text)))
            }
            Self::Given(value) => Some(quote!(#value)),
        }
    }
}
