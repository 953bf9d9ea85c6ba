//! What functions and methods have in common once expanded: the arguments, the spec, the call.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, ReturnType, ext::IdentExt, spanned::Spanned};

use crate::{
    definition::{Definition, Runs},
    krate::Krate,
    param_attrs::DefaultValue,
    params::{Arguments, Field, Input, Mark},
};

/// The variables an expansion declares, invisible to the user's tokens.
pub(crate) struct Names {
    /// The arguments, as JSON.
    pub(crate) json: Ident,
    /// The run's context.
    pub(crate) context: Ident,
    arguments: Ident,
    returned: Ident,
}

impl Names {
    pub(crate) fn new() -> Self {
        let hidden = |name| Ident::new(name, Span::mixed_site());
        Self {
            json: hidden("json"),
            context: hidden("context"),
            arguments: hidden("arguments"),
            returned: hidden("returned"),
        }
    }
}

impl Definition {
    /// The items the spec and the call refer to: the struct the arguments are read into.
    pub(crate) fn items(&self, krate: &Krate) -> TokenStream {
        let warning = self.warning.as_ref().map(|text| warning(&self.ident, text));
        let Arguments::Fields(fields) = &self.params.arguments else {
            return quote!(#warning);
        };
        let (serde, schemars) = (krate.below("serde"), krate.below("schemars"));
        let defaults = fields.iter().filter_map(default_function);
        let fields = fields.iter().map(field);
        quote! {
            #warning
            #(#defaults)*
            #[derive(
                #krate::__private::serde::Deserialize,
                #krate::__private::schemars::JsonSchema,
            )]
            #[serde(crate = #serde, deny_unknown_fields)]
            #[schemars(crate = #schemars)]
            struct __Arguments { #(#fields,)* }
        }
    }

    /// An expression: the tool's spec.
    pub(crate) fn spec(&self, krate: &Krate) -> TokenStream {
        let (name, description, attrs) = (&self.name, &self.description, &self.attrs);
        let arguments = self.arguments_type();
        let effect = attrs.effect.iter();
        let render = attrs.render.iter();
        let policy = attrs.policy.expression(krate).into_iter();
        let after = &attrs.after;
        let (with, other): (Vec<_>, Vec<_>) = self.params.together().into_iter().unzip();
        let mut grounded = self.params.marked(Mark::Grounded);
        grounded.retain(|name| !with.contains(name));
        let free_text = self.params.marked(Mark::FreeText);
        let executable = self.params.marked(Mark::Executable);
        let generated = self.params.marked(Mark::Generated);
        let seen = self.params.marked(Mark::Seen);
        let asked_by = attrs.asked_by.iter().map(|words| quote!([#(#words),*]));
        let asked_for = self.params.asked_for().into_iter();
        let asked_for = asked_for.map(|(name, words)| quote!(#name, [#(#words),*]));
        let even_unseen = self.params.even_unseen().into_iter();
        let even_unseen = even_unseen.map(|(name, words)| quote!(#name, [#(#words),*]));
        let examples = attrs.examples.iter().map(|examples| quote!([#(#examples),*]));
        let verbatim = attrs.verbatim.iter();
        let returns = self.returned_schema(krate).into_iter();
        quote! {
            #krate::__private::ToolSpec::new(#name, #description, #krate::__private::schema_of::<#arguments>())
                #(.effect(#krate::__private::ToolEffect::#effect))*
                #(.render(#krate::__private::ResultFormat::#render))*
                #(.policy(#policy))*
                #(.after(#after))*
                #(.grounded(#grounded))*
                #(.grounded_with(#with, #other))*
                #(.free_text(#free_text))*
                #(.executable(#executable))*
                #(.generated(#generated))*
                #(.seen(#seen))*
                #(.asked_by(#asked_by))*
                #(.asked_for(#asked_for))*
                #(.even_unseen(#even_unseen))*
                #(.examples(#examples))*
                #(.verbatim(#krate::__private::Verbatim::#verbatim))*
                #(.returns(#returns))*
        }
    }

    /// An expression: the schema of what is returned, if there is one.
    fn returned_schema(&self, krate: &Krate) -> Option<TokenStream> {
        let ReturnType::Type(_, ty) = &self.output else { return None };
        Some(quote_spanned! {here(ty)=> {
            #[allow(unused_imports)]
            use #krate::__private::kit::{NoSchema as _, SchemaOfOk as _, SchemaOfValue as _};
            (&&&#krate::__private::kit::ReturnType::<#ty>::it()).schema()
        }})
    }

    /// An expression: the boxed future that runs `callee` and gives a `ToolResult`. `state` is what
    /// `callee` is called on, as a thing that can be taken to another thread.
    pub(crate) fn future(
        &self,
        krate: &Krate,
        names: &Names,
        callee: &TokenStream,
        state: Option<&TokenStream>,
    ) -> TokenStream {
        let call = self.call(krate, names, callee);
        let context = &names.context;
        // At the function's name, which is what is wrong when the future is not `Send`.
        match self.runs {
            Runs::Async | Runs::Inline => quote_spanned! {here(&self.ident)=>
                ::std::boxed::Box::pin(async move { #call })
            },
            Runs::Blocking => quote_spanned! {here(&self.ident)=> {
                #state
                #krate::__private::RunContext::run_blocking(#context, move |#context| { #call })
            }},
        }
    }

    fn call(&self, krate: &Krate, names: &Names, callee: &TokenStream) -> TokenStream {
        let read = self.read_arguments(krate, names);
        let inputs = self.params.inputs.iter().map(|input| {
            let Names { context, arguments, .. } = names;
            match input {
                Input::Context => quote!(#context),
                Input::Field(ident) => quote!(#arguments.#ident),
                Input::Whole => quote!(#arguments),
            }
        });
        let wait = (self.runs == Runs::Async).then(|| quote!(.await));
        let returned = self.returned(krate, names, &quote!(#callee(#(#inputs),*) #wait));
        quote!(#read #returned)
    }

    /// A statement, or nothing where no argument is used; the gate has seen to it that none is
    /// there.
    fn read_arguments(&self, krate: &Krate, names: &Names) -> Option<TokenStream> {
        if self.params.inputs.iter().all(|input| matches!(input, Input::Context)) {
            return None;
        }
        let Names { json, arguments, .. } = names;
        let ty = self.arguments_type();
        let read = quote_spanned! {here(&ty)=>
            <#ty as #krate::__private::serde::Deserialize>::deserialize(&*#json)
        };
        Some(quote! {
            let #arguments = match #read {
                ::core::result::Result::Ok(arguments) => arguments,
                ::core::result::Result::Err(error) => {
                    return ::core::result::Result::Err(#krate::__private::ToolError::new(
                        ::std::format!("invalid arguments: {error}"),
                    ));
                }
            };
        })
    }

    fn returned(&self, krate: &Krate, names: &Names, call: &TokenStream) -> TokenStream {
        // At the return type, which is what is wrong when this does not fit.
        let at = match &self.output {
            ReturnType::Default => here(&self.ident),
            ReturnType::Type(_, ty) => here(ty),
        };
        let returned = &names.returned;
        let result = quote_spanned! {at=>
            (&&&#krate::__private::kit::ReturnValue::new(#returned)).to_result()
        };
        quote! {
            let #returned = #call;
            #[allow(unused_imports)]
            use #krate::__private::kit::{FromDisplay as _, FromError as _, FromValue as _};
            #result
        }
    }

    fn arguments_type(&self) -> TokenStream {
        match &self.params.arguments {
            Arguments::Fields(_) => quote!(__Arguments),
            Arguments::Whole { ty, .. } => quote!(#ty),
        }
    }
}

/// A warning of the compiler's at the tool's name. Macros have no words of their own for one: what is
/// deprecated and used is told with a note.
fn warning(at: &Ident, text: &str) -> TokenStream {
    let name = Ident::new("missing_doc_comment", at.span());
    quote_spanned! {at.span()=>
        const _: () = {
            #[deprecated(note = #text)]
            #[allow(non_upper_case_globals)]
            const #name: () = ();
            #name
        };
    }
}

/// The place of some tokens, marked as the macro's, so that lints do not take the code for the
/// user's.
fn here(tokens: &impl Spanned) -> Span {
    Span::mixed_site().located_at(tokens.span())
}

fn field(field: &Field) -> TokenStream {
    let Field { ident, ty, description, attrs } = field;
    let description = description.iter();
    let schema = [&attrs.range, &attrs.length, &attrs.pattern].into_iter().flatten();
    let rename = attrs.rename.iter();
    let default = attrs.default.iter().map(|default| match default {
        DefaultValue::OfType => quote!(default),
        DefaultValue::Given(_) => {
            let path = default_name(field).to_string();
            quote!(default = #path)
        }
    });
    quote! {
        #(#[schemars(description = #description)])*
        #(#[schemars(#schema)])*
        #(#[serde(rename = #rename)])*
        #(#[serde(#default)])*
        #ident: #ty
    }
}

fn default_name(field: &Field) -> Ident {
    format_ident!("__default_{}", field.ident.unraw())
}

fn default_function(field: &Field) -> Option<TokenStream> {
    let (name, ty) = (default_name(field), &field.ty);
    let body = field.attrs.default.as_ref()?.body()?;
    Some(quote!(fn #name() -> #ty { #body }))
}
