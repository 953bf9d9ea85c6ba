//! `#[toolset]` on an `impl` block.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Attribute, GenericParam, Generics, ImplItem, ImplItemFn, Item, ItemImpl, Path, ReceiverKind,
    Signature, meta::ParseNestedMeta, parse::Parser, parse_quote,
};

use crate::{
    attrs::{ToolAttrs, key, once},
    definition::Definition,
    errors::Errors,
    expand::Names,
    krate::Krate,
    params,
};

/// The block as it was, and beside it the toolset or what is wrong with it.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let Ok(Item::Impl(mut block)) = syn::parse2(item.clone()) else {
        let message = "`#[toolset]` goes on an `impl` block: on a function write `#[tool]`";
        let error = syn::Error::new_spanned(item, message).into_compile_error();
        return quote!(#item #error);
    };
    // Even with an error the methods must be there: their callers are not what is wrong.
    let toolset = build(args, &block).unwrap_or_else(syn::Error::into_compile_error);
    strip(&mut block);
    quote!(#block #toolset)
}

/// One marked method.
struct Method<'a> {
    definition: Definition,
    cfgs: Vec<&'a Attribute>,
}

fn build(args: TokenStream, block: &ItemImpl) -> syn::Result<TokenStream> {
    let mut given = None;
    syn::meta::parser(|meta| read_arg(&meta, &mut given)).parse2(args)?;
    let krate = Krate::find(given.as_ref())?;
    check_block(block)?;
    let methods = methods(block)?;
    Ok(implementation(&krate, block, &methods))
}

fn read_arg(meta: &ParseNestedMeta<'_>, krate: &mut Option<Path>) -> syn::Result<()> {
    match key(meta).as_str() {
        "crate" => once(meta, krate, |m| m.value()?.call(Path::parse_mod_style)),
        other => Err(meta.error(format!(
            "`{other}` is not known here: only `crate` is, the rest goes on the methods"
        ))),
    }
}

fn check_block(block: &ItemImpl) -> syn::Result<()> {
    if let Some((path, _)) = &block.trait_ {
        let message = "a toolset is made of a type's own methods, not of a trait's: \
                       put `#[toolset]` on `impl Type { … }`";
        return Err(syn::Error::new_spanned(path, message));
    }
    let lifetime =
        block.generics.params.iter().find(|param| matches!(param, GenericParam::Lifetime(_)));
    match lifetime {
        Some(lifetime) => Err(syn::Error::new_spanned(
            lifetime,
            "a toolset cannot borrow: its tools outlive the place they were made in",
        )),
        None => Ok(()),
    }
}

fn methods(block: &ItemImpl) -> syn::Result<Vec<Method<'_>>> {
    let (mut methods, mut names) = (Vec::<Method<'_>>::new(), HashSet::new());
    let mut errors = Errors::default();
    let mut marked = 0;
    for function in block.items.iter().filter_map(as_function) {
        let Some(attr) = function.attrs.iter().find(|attr| is_tool(attr)) else { continue };
        marked += 1;
        let Some(definition) = errors.keep(read(function, attr, &block.generics)) else { continue };
        let cfgs: Vec<_> = function.attrs.iter().filter(|a| a.path().is_ident("cfg")).collect();
        // Two methods under different `cfg`s may be one tool.
        if cfgs.is_empty() && !names.insert(definition.name.clone()) {
            let message = format!("two tools are called `{}`", definition.name);
            errors.at(&function.sig.ident, message);
        }
        methods.push(Method { definition, cfgs });
    }
    if marked == 0 {
        let message = "a toolset without tools: mark a method `#[tool]`";
        errors.at(&block.self_ty, message);
    }
    errors.finish(methods)
}

fn read(function: &ImplItemFn, attr: &Attribute, outer: &Generics) -> syn::Result<Definition> {
    let attrs = ToolAttrs::parse_attribute(attr)?;
    if let Some(manual) = attrs.manual {
        let message = "a toolset is always handed over by hand: remove `manual`";
        return Err(syn::Error::new(manual, message));
    }
    if let Some(path) = &attrs.krate {
        let message = "say it once for the whole block: `#[toolset(crate = …)]`";
        return Err(syn::Error::new_spanned(path, message));
    }
    check_receiver(&function.sig)?;
    Definition::read(&function.sig, &function.attrs, attrs, outer)
}

fn check_receiver(signature: &Signature) -> syn::Result<()> {
    let message = "a tool of a toolset takes `&self`: all of them share one state";
    match signature.receiver() {
        Some(receiver) => match &receiver.kind {
            ReceiverKind::Reference(_, _, None) => Ok(()),
            _ => Err(syn::Error::new_spanned(receiver, message)),
        },
        None => Err(syn::Error::new_spanned(&signature.ident, message)),
    }
}

fn implementation(krate: &Krate, block: &ItemImpl, methods: &[Method<'_>]) -> TokenStream {
    let ty = &block.self_ty;
    let generics = shareable(block);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let shell = shell(krate);
    let count = methods.len();
    let pushes = methods.iter().map(|Method { definition, cfgs }| {
        let tool = tool(krate, definition);
        quote!(#(#cfgs)* tools.push(::std::sync::Arc::new(#tool));)
    });
    let cfgs = block.attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
    quote! {
        #(#cfgs)*
        const _: () = {
            #shell

            impl #impl_generics #krate::__private::Toolset for #ty #where_clause {
                fn tools(
                    self: ::std::sync::Arc<Self>,
                ) -> ::std::vec::Vec<::std::sync::Arc<dyn #krate::__private::Tool>> {
                    let mut tools: ::std::vec::Vec<::std::sync::Arc<dyn #krate::__private::Tool>> =
                        ::std::vec::Vec::with_capacity(#count);
                    #(#pushes)*
                    tools
                }
            }
        };
    }
}

/// What every tool of the set is: the state, a spec, and which method to run. A function pointer
/// instead of a closure, so that a call borrows the context instead of cloning it.
fn shell(krate: &Krate) -> TokenStream {
    let future = quote! {
        ::core::pin::Pin<::std::boxed::Box<
            dyn ::core::future::Future<Output = #krate::__private::ToolResult> + ::core::marker::Send + 'a,
        >>
    };
    let json = quote!(::std::sync::Arc<#krate::__private::serde_json::Value>);
    quote! {
        struct __Method<S> {
            state: ::std::sync::Arc<S>,
            spec: #krate::__private::ToolSpec,
            run: for<'a> fn(
                &'a ::std::sync::Arc<S>,
                #json,
                &'a #krate::__private::RunContext,
            ) -> #future,
        }

        impl<S: ::core::marker::Send + ::core::marker::Sync> #krate::__private::Tool for __Method<S> {
            fn spec(&self) -> &#krate::__private::ToolSpec {
                &self.spec
            }

            fn call<'a>(&'a self, json: #json, context: &'a #krate::__private::RunContext) -> #future {
                (self.run)(&self.state, json, context)
            }
        }
    }
}

/// An expression: one tool of the set.
fn tool(krate: &Krate, definition: &Definition) -> TokenStream {
    let names = Names::new();
    let Names { json, context, .. } = &names;
    let method = &definition.ident;
    let items = definition.items(krate);
    let spec = definition.spec(krate);
    let kept = quote!(let state = ::std::sync::Arc::clone(state););
    let future = definition.future(krate, &names, &quote!(state.#method), Some(&kept));
    quote! {{
        #items
        __Method::<Self> {
            state: ::std::sync::Arc::clone(&self),
            spec: #spec,
            run: |state, #json, #context| #future,
        }
    }}
}

/// The generics of the block, with what it takes to be shared between calls. Of a type that is not
/// generic the compiler knows already, and says so at the type when it is not.
fn shareable(block: &ItemImpl) -> Generics {
    let mut generics = block.generics.clone();
    if generics.params.is_empty() {
        return generics;
    }
    for param in generics.type_params_mut() {
        param.bounds.push(parse_quote!('static));
    }
    let ty = &block.self_ty;
    generics
        .make_where_clause()
        .predicates
        .push(parse_quote!(#ty: ::core::marker::Send + ::core::marker::Sync));
    generics
}

fn as_function(item: &ImplItem) -> Option<&ImplItemFn> {
    match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    }
}

/// Whether an attribute of a method marks a tool, however the macro is reached.
fn is_tool(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|segment| segment.ident == "tool")
}

fn strip(block: &mut ItemImpl) {
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item
            && function.attrs.iter().any(is_tool)
        {
            function.attrs.retain(|attr| !is_tool(attr));
            params::strip(&mut function.attrs, &mut function.sig);
        }
    }
}
