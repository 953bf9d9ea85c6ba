//! [`ToolAttrs`]: what stands in `#[tool(…)]` on a function or a method.

use proc_macro2::{Span, TokenStream};
use syn::{
    Attribute, Ident, LitStr, Meta, Path, Token, meta::ParseNestedMeta, parse::Parser,
    punctuated::Punctuated, token,
};

use crate::policy::PolicyAttrs;

const KNOWN: &str = "`read_only`, `idempotent`, `destructive`, `timeout`, `idle_timeout`, `retry`, \
                     `cache`, `breaker`, `limit`, `redact`, `name`, `description`, `render`, \
                     `after`, `asked_by`, `examples`, `verbatim`, `inline`, `manual` and `crate`";

/// What stands in `#[tool(…)]` on a function or a method.
#[derive(Default)]
pub(crate) struct ToolAttrs {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    /// The variant of `ToolEffect`.
    pub(crate) effect: Option<Ident>,
    /// The variant of `ResultFormat`.
    pub(crate) render: Option<Ident>,
    pub(crate) policy: PolicyAttrs,
    pub(crate) after: Vec<LitStr>,
    pub(crate) asked_by: Option<Vec<LitStr>>,
    pub(crate) examples: Option<Vec<LitStr>>,
    /// The variant of `Verbatim`.
    pub(crate) verbatim: Option<Ident>,
    /// Where `inline` stands.
    pub(crate) inline: Option<Span>,
    /// Where `manual` stands.
    pub(crate) manual: Option<Span>,
    pub(crate) krate: Option<Path>,
}

impl ToolAttrs {
    /// Reads what stands between the parentheses.
    pub(crate) fn parse(tokens: TokenStream) -> syn::Result<Self> {
        let mut attrs = Self::default();
        syn::meta::parser(|meta| attrs.read(&meta)).parse2(tokens)?;
        Ok(attrs)
    }

    /// Reads a whole `#[tool]` or `#[tool(…)]`, as `#[toolset]` finds it on a method.
    pub(crate) fn parse_attribute(attr: &Attribute) -> syn::Result<Self> {
        match &attr.meta {
            Meta::Path(_) => Ok(Self::default()),
            Meta::List(list) => Self::parse(list.tokens.clone()),
            Meta::NameValue(_) => Err(syn::Error::new_spanned(attr, "write `#[tool(…)]`")),
        }
    }

    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        match key(meta).as_str() {
            "read_only" => self.set_effect(meta, "ReadOnly"),
            "idempotent" => self.set_effect(meta, "Idempotent"),
            "destructive" => self.set_effect(meta, "Destructive"),
            "name" => once(meta, &mut self.name, |m| tool_name(m.value()?.parse()?)),
            "description" => once(meta, &mut self.description, |m| m.value()?.parse()),
            "render" => once(meta, &mut self.render, render),
            "after" => after(meta).map(|names| self.after.extend(names)),
            "asked_by" => once(meta, &mut self.asked_by, words),
            "examples" => once(meta, &mut self.examples, examples),
            "verbatim" => once(meta, &mut self.verbatim, verbatim),
            "inline" => once(meta, &mut self.inline, |m| Ok(span(m))),
            "manual" => once(meta, &mut self.manual, |m| Ok(span(m))),
            "crate" => once(meta, &mut self.krate, |m| m.value()?.call(Path::parse_mod_style)),
            other => self.policy.read(other, meta).unwrap_or_else(|| {
                Err(meta.error(format!("`{other}` is not known here: {KNOWN} are")))
            }),
        }
    }

    fn set_effect(&mut self, meta: &ParseNestedMeta<'_>, variant: &str) -> syn::Result<()> {
        if self.effect.is_some() {
            return Err(meta.error(
                "a tool has one effect: keep one of `read_only`, `idempotent` and `destructive`",
            ));
        }
        self.effect = Some(Ident::new(variant, Span::call_site()));
        Ok(())
    }
}

/// The word before the `=` or the parenthesis.
pub(crate) fn key(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.segments.iter().map(|part| part.ident.to_string()).collect::<Vec<_>>().join("::")
}

/// Where that word stands.
pub(crate) fn span(meta: &ParseNestedMeta<'_>) -> Span {
    meta.path.segments.first().map_or_else(Span::call_site, |part| part.ident.span())
}

/// Reads something that may be said only once.
pub(crate) fn once<T>(
    meta: &ParseNestedMeta<'_>,
    slot: &mut Option<T>,
    read: impl FnOnce(&ParseNestedMeta<'_>) -> syn::Result<T>,
) -> syn::Result<()> {
    if slot.is_some() {
        return Err(meta.error(format!("`{}` is given twice", key(meta))));
    }
    *slot = Some(read(meta)?);
    Ok(())
}

/// `("…", "…")`.
pub(crate) fn names(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<LitStr>> {
    let content;
    syn::parenthesized!(content in meta.input);
    let names = Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?;
    if names.is_empty() {
        return Err(meta.error(format!("name at least one: `{}(\"…\")`", key(meta))));
    }
    Ok(names.into_iter().collect())
}

/// `("…", "…")`, none of them empty.
pub(crate) fn words(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<LitStr>> {
    if !meta.input.peek(token::Paren) {
        let word = key(meta);
        return Err(meta
            .error(format!("name the words by which people ask for it: `{word}(\"…\", \"…\")`")));
    }
    let words = names(meta)?;
    match words.iter().find(|word| word.value().trim().trim_matches('*').is_empty()) {
        Some(empty) => Err(syn::Error::new(empty.span(), "a word is something a person says")),
        None => Ok(words),
    }
}

fn after(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<LitStr>> {
    let names =
        if meta.input.peek(token::Paren) { names(meta)? } else { vec![meta.value()?.parse()?] };
    names.into_iter().map(tool_name).collect()
}

/// `= ["…", "…"]`.
fn examples(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<LitStr>> {
    let content;
    let list = meta.value()?;
    syn::bracketed!(content in list);
    let examples = Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?;
    if let Some(empty) = examples.iter().find(|example| example.value().trim().is_empty()) {
        return Err(syn::Error::new(empty.span(), "an example is something a person says"));
    }
    if examples.is_empty() {
        return Err(meta.error("give at least one: `examples = [\"…\"]`"));
    }
    Ok(examples.into_iter().collect())
}

fn render(meta: &ParseNestedMeta<'_>) -> syn::Result<Ident> {
    let word: Ident = meta.value()?.parse()?;
    let variant = match word.to_string().as_str() {
        "plain" => "Plain",
        "envelope" => "Envelope",
        "readable" => "Readable",
        _ => return Err(syn::Error::new(word.span(), "write `plain`, `envelope` or `readable`")),
    };
    Ok(Ident::new(variant, word.span()))
}

/// `verbatim`, `verbatim = numbered` or `verbatim = diff`.
fn verbatim(meta: &ParseNestedMeta<'_>) -> syn::Result<Ident> {
    if !meta.input.peek(Token![=]) {
        return Ok(Ident::new("Text", span(meta)));
    }
    let word: Ident = meta.value()?.parse()?;
    let variant = match word.to_string().as_str() {
        "numbered" => "Numbered",
        "diff" => "Diff",
        _ => {
            let forms = "write `verbatim`, `verbatim = numbered` or `verbatim = diff`";
            return Err(syn::Error::new(word.span(), forms));
        }
    };
    Ok(Ident::new(variant, word.span()))
}

/// A literal that providers take as a tool's name.
fn tool_name(name: LitStr) -> syn::Result<LitStr> {
    if is_tool_name(&name.value()) {
        return Ok(name);
    }
    Err(syn::Error::new(
        name.span(),
        "a tool's name is 1 to 64 letters, digits, `_` and `-`: providers refuse anything else",
    ))
}

/// Whether providers take this as a tool's name.
pub(crate) fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}
