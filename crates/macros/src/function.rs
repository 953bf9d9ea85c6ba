//! `#[tool]` on a free function.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{FnArg, Generics, Item, ItemFn, Path, VisRestricted, Visibility};

use crate::{attrs::ToolAttrs, definition::Definition, expand::Names, krate::Krate, params};

/// The function as it was, and beside it the tool or what is wrong with it.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut function = match parse(item) {
        Ok(function) => function,
        Err(error) => {
            let error = error.into_compile_error();
            return quote!(#item #error);
        }
    };
    // Even with an error the function must be there: its callers are not what is wrong.
    let tool = build(args, &function).unwrap_or_else(syn::Error::into_compile_error);
    params::strip(&mut function.attrs, &mut function.sig);
    quote!(#function #tool)
}

fn parse(item: &TokenStream) -> syn::Result<ItemFn> {
    match syn::parse2(item.clone()) {
        Ok(Item::Fn(function)) => Ok(function),
        Ok(Item::Impl(_)) => Err(syn::Error::new_spanned(
            item,
            "`#[tool]` goes on a function: mark the block `#[toolset]` and its methods `#[tool]`",
        )),
        _ => Err(syn::Error::new_spanned(item, "`#[tool]` goes on a function")),
    }
}

fn build(args: TokenStream, function: &ItemFn) -> syn::Result<TokenStream> {
    if let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first() {
        return Err(syn::Error::new_spanned(
            receiver,
            "a method becomes a tool through its `impl` block: mark the block `#[toolset]`",
        ));
    }
    let attrs = ToolAttrs::parse(args)?;
    let krate = Krate::find(attrs.krate.as_ref())?;
    let definition = Definition::read(&function.sig, &function.attrs, attrs, &Generics::default())?;
    let module = module(&krate, function, &definition);
    let implementation = implementation(&krate, function, &definition);
    Ok(quote!(#module #implementation))
}

/// The module that gives the tool a name. It holds no code of the user's: a module inside a
/// function (every doctest is one) cannot see the items around it, so that code stays outside and
/// is reached through `Default`.
fn module(krate: &Krate, function: &ItemFn, definition: &Definition) -> TokenStream {
    let ItemFn { vis, sig, .. } = function;
    let (name, cfgs) = (&sig.ident, cfgs(function));
    let inner = one_deeper(vis);
    let docs = format!("`{name}` as a tool.");
    let tool_docs = format!("Makes the tool `{}`.", definition.name);
    quote! {
        #(#cfgs)*
        #[doc = #docs]
        #vis mod #name {
            #[doc = #tool_docs]
            #[must_use]
            #inner fn tool() -> ::std::sync::Arc<dyn #krate::__private::Tool> {
                ::std::sync::Arc::new(<Definition as ::core::default::Default>::default())
            }

            pub(super) struct Definition(pub(super) #krate::__private::ToolSpec);
        }
    }
}

fn implementation(krate: &Krate, function: &ItemFn, definition: &Definition) -> TokenStream {
    let (name, cfgs) = (&function.sig.ident, cfgs(function));
    let deprecated = function.attrs.iter().any(|attr| attr.path().is_ident("deprecated"));
    let allow = deprecated.then(|| quote!(#[allow(deprecated)]));
    let names = Names::new();
    let Names { json, context, .. } = &names;
    let items = definition.items(krate);
    let spec = definition.spec(krate);
    let future = definition.future(krate, &names, &name.to_token_stream(), None);
    let registration = registration(krate, definition);
    quote! {
        #(#cfgs)*
        #allow
        const _: () = {
            #items

            impl ::core::default::Default for #name::Definition {
                fn default() -> Self {
                    Self(#spec)
                }
            }

            impl #krate::__private::Tool for #name::Definition {
                fn spec(&self) -> &#krate::__private::ToolSpec {
                    &self.0
                }

                fn call<'a>(
                    &'a self,
                    #json: ::std::sync::Arc<#krate::__private::serde_json::Value>,
                    #context: &'a #krate::__private::RunContext,
                ) -> ::core::pin::Pin<::std::boxed::Box<
                    dyn ::core::future::Future<Output = #krate::__private::ToolResult>
                        + ::core::marker::Send + 'a,
                >> {
                    #future
                }
            }

            #registration
        };
    }
}

fn registration(krate: &Krate, definition: &Definition) -> Option<TokenStream> {
    if definition.attrs.manual.is_some() {
        return None;
    }
    let name = &definition.ident;
    Some(quote! {
        #krate::__private::inventory::submit! {
            #krate::__private::Registration {
                make: #name::tool,
                at: ::core::concat!(::core::file!(), ":", ::core::line!()),
            }
        }
    })
}

/// What the function is compiled under, the tool is too.
fn cfgs(function: &ItemFn) -> Vec<&syn::Attribute> {
    function.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect()
}

/// The same visibility, said from inside a module.
fn one_deeper(vis: &Visibility) -> TokenStream {
    match vis {
        Visibility::Public(_) => quote!(pub),
        Visibility::Restricted(VisRestricted { path, .. }) => match first(path).as_deref() {
            Some("self") => {
                let rest = path.segments.iter().skip(1);
                quote!(pub(in super #(::#rest)*))
            }
            Some("super") => quote!(pub(in super::#path)),
            _ => vis.to_token_stream(),
        },
        Visibility::Inherited => quote!(pub(super)),
    }
}

fn first(path: &Path) -> Option<String> {
    path.segments.first().map(|segment| segment.ident.to_string())
}
