//! What the type of an argument may not contain: anything that borrows, and anything that only
//! means something inside the function.

use syn::{
    GenericParam, Generics, Lifetime, Path, Type, TypeImplTrait, TypeReference,
    visit::{self, Visit},
};

use crate::errors::Errors;

/// Reports everything in `ty` that the type of an argument may not contain. `outer` are the
/// generics of the `impl` block around a method.
pub(crate) fn check(ty: &Type, outer: &Generics, errors: &mut Errors) {
    Check { outer, errors }.visit_type(ty);
}

struct Check<'a> {
    outer: &'a Generics,
    errors: &'a mut Errors,
}

impl<'ast> Visit<'ast> for Check<'_> {
    fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
        let instead = match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => "take `String`",
            Type::Slice(_) => "take a `Vec`",
            _ => "take the type itself, without the `&`",
        };
        // Not deeper: one thing is wrong, and it is this.
        self.errors.at(reference, format!("{instead}: arguments are owned"));
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident != "static" {
            self.errors.at(lifetime, "take a type that borrows nothing: arguments are owned");
        }
    }

    fn visit_type_impl_trait(&mut self, ty: &'ast TypeImplTrait) {
        self.errors.at(ty, "name the type: a schema cannot be made of `impl Trait`");
    }

    fn visit_path(&mut self, path: &'ast Path) {
        match path.segments.first() {
            Some(first) if first.ident == "Self" => {
                self.errors.at(path, "name the type: `Self` means nothing in a schema");
            }
            Some(first) if path.leading_colon.is_none() && self.is_generic(&first.ident) => {
                let message = format!("the arguments of a tool cannot depend on `{}`", first.ident);
                self.errors.at(path, message);
            }
            _ => visit::visit_path(self, path),
        }
    }
}

impl Check<'_> {
    fn is_generic(&self, name: &syn::Ident) -> bool {
        self.outer.params.iter().any(|param| match param {
            GenericParam::Type(param) => param.ident == *name,
            GenericParam::Const(param) => param.ident == *name,
            GenericParam::Lifetime(_) => false,
        })
    }
}
