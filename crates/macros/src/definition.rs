//! [`Definition`]: a function or method, read and checked.

use syn::{Attribute, Generics, Ident, ReturnType, Safety, Signature, Type, ext::IdentExt};

use crate::{
    attrs::{ToolAttrs, is_tool_name},
    docs,
    errors::Errors,
    params::Params,
};

/// A function or method, read and checked.
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) description: String,
    /// What the compiler says about it, without refusing it.
    pub(crate) warning: Option<String>,
    pub(crate) attrs: ToolAttrs,
    pub(crate) params: Params,
    pub(crate) ident: Ident,
    pub(crate) runs: Runs,
    pub(crate) output: ReturnType,
}

/// How a function is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// It is polled, and waits without holding up others.
    Async,
    /// Where it is called, as it is known to be done at once.
    Inline,
    /// On a thread where it may take its time.
    Blocking,
}

impl Definition {
    /// Reads a signature with its doc comment. `outer` are the generics of the `impl` block around.
    pub(crate) fn read(
        signature: &Signature,
        docs: &[Attribute],
        attrs: ToolAttrs,
        outer: &Generics,
    ) -> syn::Result<Self> {
        let mut errors = Errors::default();
        check_signature(signature, &mut errors);
        check_output(&signature.output, &mut errors);
        let name = name(signature, &attrs, &mut errors);
        let (description, warning) = match description(signature, docs, &attrs, &mut errors) {
            Some(description) => (description, None),
            None => (name.clone(), Some(UNDESCRIBED.to_owned())),
        };
        if let Some(itself) = attrs.after.iter().find(|after| after.value() == name) {
            errors.at(itself, "a tool cannot wait for itself");
        }
        if let (Some(inline), Some(_)) = (attrs.inline, signature.asyncness) {
            let message = "an `async` tool never runs on a thread of its own: remove `inline`";
            errors.push(syn::Error::new(inline, message));
        }
        let params = match Params::read(signature, outer) {
            Ok(params) => params,
            Err(error) => return Err(errors.and(error)),
        };
        let runs = match (signature.asyncness, attrs.inline) {
            (Some(_), _) => Runs::Async,
            (None, Some(_)) => Runs::Inline,
            (None, None) => Runs::Blocking,
        };
        attrs.policy.check(attrs.effect.as_ref(), &mut errors);
        errors.finish(Self {
            name,
            description,
            warning,
            attrs,
            params,
            ident: signature.ident.clone(),
            runs,
            output: signature.output.clone(),
        })
    }
}

fn name(signature: &Signature, attrs: &ToolAttrs, errors: &mut Errors) -> String {
    if let Some(given) = &attrs.name {
        return given.value();
    }
    let name = signature.ident.unraw().to_string();
    if !is_tool_name(&name) {
        let message = "a tool's name is 1 to 64 letters, digits, `_` and `-`: \
                       give it another one with `#[tool(name = \"…\")]`";
        errors.at(&signature.ident, message);
    }
    name
}

fn description(
    signature: &Signature,
    docs: &[Attribute],
    attrs: &ToolAttrs,
    errors: &mut Errors,
) -> Option<String> {
    let given = attrs.description.as_ref().map(|text| text.value().trim().to_owned());
    if given.as_deref() == Some("") {
        let message = "a model chooses a tool by its description, and this one is empty";
        errors.at(&signature.ident, message);
    }
    given.or_else(|| docs::description(docs))
}

const UNDESCRIBED: &str = "a model chooses a tool by its description, and this one has only its name: \
                           add a doc comment";

/// Reports what a function that is called with JSON cannot have.
fn check_signature(signature: &Signature, errors: &mut Errors) {
    if !signature.generics.params.is_empty() {
        let message = "a tool cannot be generic: its schema is made of its types";
        errors.at(&signature.generics, message);
    } else if let Some(clause) = &signature.generics.where_clause {
        errors.at(clause, "a tool cannot be generic: there is nothing to constrain");
    }
    if let Safety::Unsafe(word) = &signature.safety {
        errors.at(word, "a tool cannot be `unsafe`: the model decides when it is called");
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, "a tool is a Rust function: remove `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, "a tool takes a fixed number of parameters: take a `Vec`");
    }
}

/// Reports what cannot be turned into a result once the function has returned.
fn check_output(output: &ReturnType, errors: &mut Errors) {
    let ReturnType::Type(_, ty) = output else { return };
    match &**ty {
        Type::ImplTrait(ty) => errors.at(ty, "name the type: a tool returns a concrete value"),
        Type::Reference(reference)
            if reference.lifetime.as_ref().is_none_or(|life| life.ident != "static") =>
        {
            errors.at(reference, "return an owned value: the result outlives the call");
        }
        _ => {}
    }
}
