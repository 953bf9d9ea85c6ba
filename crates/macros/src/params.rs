//! [`Params`]: the parameters of a function, as arguments a model gives and a context it never
//! sees.

use std::collections::HashSet;

use syn::{
    Attribute, FnArg, Generics, Ident, LitStr, Pat, PatType, Signature, Type, ext::IdentExt,
    parse_quote,
};

use crate::{
    docs,
    errors::Errors,
    owned,
    param_attrs::{Marked, ParamAttrs, is_tool},
};

/// The parameters of a function.
pub(crate) struct Params {
    pub(crate) arguments: Arguments,
    /// What the function is called with, in order.
    pub(crate) inputs: Vec<Input>,
}

/// Where the schema of the arguments comes from.
pub(crate) enum Arguments {
    /// One property for each parameter.
    Fields(Vec<Field>),
    /// A struct of the user's.
    Whole {
        ty: Box<Type>,
        grounded: Vec<String>,
        free_text: Vec<String>,
        executable: Vec<String>,
        generated: Vec<String>,
        seen: Vec<String>,
    },
}

/// One parameter the model gives a value for.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) description: Option<String>,
    pub(crate) attrs: ParamAttrs,
}

/// One parameter, as it is filled in.
pub(crate) enum Input {
    Context,
    Field(Ident),
    Whole,
}

impl Params {
    /// Reads the parameters after `self`. `outer` are the generics of the `impl` block around.
    pub(crate) fn read(signature: &Signature, outer: &Generics) -> syn::Result<Self> {
        let mut reader = Reader::new(outer);
        for input in &signature.inputs {
            if let FnArg::Typed(param) = input {
                reader.param(param);
            }
        }
        reader.finish()
    }

    /// The names the model sees of the parameters `which` picks.
    pub(crate) fn marked(&self, which: Mark) -> Vec<String> {
        match (&self.arguments, which) {
            (Arguments::Whole { grounded, .. }, Mark::Grounded) => grounded.clone(),
            (Arguments::Whole { free_text, .. }, Mark::FreeText) => free_text.clone(),
            (Arguments::Whole { executable, .. }, Mark::Executable) => executable.clone(),
            (Arguments::Whole { generated, .. }, Mark::Generated) => generated.clone(),
            (Arguments::Whole { seen, .. }, Mark::Seen) => seen.clone(),
            (Arguments::Fields(fields), which) => {
                fields.iter().filter(|field| field.is(which)).map(Field::name).collect()
            }
        }
    }
}

impl Params {
    /// Each parameter that is `grounded(with = "…")`, and what it names, as the model sees them.
    pub(crate) fn together(&self) -> Vec<(String, String)> {
        let Arguments::Fields(fields) = &self.arguments else { return Vec::new() };
        let named = |field: &Field| Some((field.name(), field.with()?.value()));
        fields.iter().filter_map(named).collect()
    }

    /// Each parameter that people ask for, as the model sees it, and the words by which they do.
    pub(crate) fn asked_for(&self) -> Vec<(String, &[LitStr])> {
        self.worded(|it| it.asked_by.as_deref())
    }

    /// Each parameter that may do something to what nobody has seen, and the words by which people ask for that.
    pub(crate) fn even_unseen(&self) -> Vec<(String, &[LitStr])> {
        self.worded(|it| it.even_unseen.as_deref())
    }

    fn worded(&self, words: impl Fn(&ParamAttrs) -> Option<&[LitStr]>) -> Vec<(String, &[LitStr])> {
        let Arguments::Fields(fields) = &self.arguments else { return Vec::new() };
        fields.iter().filter_map(|it| Some((it.name(), words(&it.attrs)?))).collect()
    }
}

/// What a parameter can be marked as.
#[derive(Clone, Copy)]
pub(crate) enum Mark {
    Grounded,
    FreeText,
    Executable,
    Generated,
    Seen,
}

impl Field {
    /// The name the model sees.
    pub(crate) fn name(&self) -> String {
        self.attrs.rename.as_ref().map_or_else(|| self.ident.unraw().to_string(), LitStr::value)
    }

    fn with(&self) -> Option<&LitStr> {
        self.attrs.grounded.as_ref()?.with.as_ref()
    }

    fn is(&self, mark: Mark) -> bool {
        match mark {
            Mark::Grounded => self.attrs.grounded.is_some(),
            Mark::FreeText => self.attrs.free_text.is_some(),
            Mark::Executable => self.attrs.executable.is_some(),
            Mark::Generated => self.attrs.generated.is_some(),
            Mark::Seen => self.attrs.seen.is_some(),
        }
    }
}

/// Takes from a function what only the macros understand, and excuses it from advice that a tool
/// cannot follow: arguments are owned, and as many as there are properties.
pub(crate) fn strip(attrs: &mut Vec<Attribute>, signature: &mut Signature) {
    attrs.push(parse_quote!(#[allow(
        clippy::fn_params_excessive_bools,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments
    )]));
    for input in &mut signature.inputs {
        if let FnArg::Typed(param) = input {
            param.attrs.retain(|attr| !is_tool(attr) && !docs::is_doc(attr));
        }
    }
}

struct Reader<'a> {
    outer: &'a Generics,
    fields: Vec<Field>,
    whole: Option<Arguments>,
    inputs: Vec<Input>,
    names: HashSet<String>,
    errors: Errors,
}

impl<'a> Reader<'a> {
    fn new(outer: &'a Generics) -> Self {
        Self {
            outer,
            fields: Vec::new(),
            whole: None,
            inputs: Vec::new(),
            names: HashSet::new(),
            errors: Errors::default(),
        }
    }

    fn param(&mut self, param: &PatType) {
        if let Some(cfg) = param.attrs.iter().find(|attr| attr.path().is_ident("cfg")) {
            self.errors.at(cfg, "a parameter of a tool cannot come and go: put `cfg` on the tool");
        }
        if is_context(&param.ty) {
            return self.context(param);
        }
        let Some(attrs) = self.errors.keep(ParamAttrs::parse(&param.attrs)) else { return };
        owned::check(&param.ty, self.outer, &mut self.errors);
        if attrs.args.is_some() {
            self.whole(param, attrs);
        } else {
            self.field(param, attrs);
        }
    }

    fn context(&mut self, param: &PatType) {
        match &*param.ty {
            Type::Reference(reference) if reference.mutability.is_none() => {}
            other => self.errors.at(other, "take `&RunContext`: the run lends it to the tool"),
        }
        if let Some(attr) = param.attrs.iter().find(|attr| is_tool(attr)) {
            self.errors
                .at(attr, "the context is filled in by the runtime: nothing to say about it");
        }
        self.inputs.push(Input::Context);
    }

    fn whole(&mut self, param: &PatType, attrs: ParamAttrs) {
        let at = attrs.args.unwrap_or_else(proc_macro2::Span::call_site);
        if let Some(word) = attrs.about_one_value() {
            let message =
                format!("`args` is the whole arguments object: `{word}` is about a field");
            self.errors.push(syn::Error::new(at, message));
        }
        if self.whole.is_some() {
            self.errors.push(syn::Error::new(at, "there is only one arguments object"));
        }
        self.whole = Some(Arguments::Whole {
            ty: param.ty.clone(),
            grounded: fields_of(attrs.grounded),
            free_text: fields_of(attrs.free_text),
            executable: fields_of(attrs.executable),
            generated: fields_of(attrs.generated),
            seen: fields_of(attrs.seen),
        });
        self.inputs.push(Input::Whole);
    }

    fn field(&mut self, param: &PatType, attrs: ParamAttrs) {
        let Some(ident) = self.ident(&param.pat) else { return };
        let ParamAttrs { grounded, free_text, executable, generated, seen, .. } = &attrs;
        let marks = [grounded, free_text, executable, generated, seen];
        for marked in marks.into_iter().flatten() {
            if !marked.fields.is_empty() {
                let message = "fields are named only beside `args`: here it is the parameter";
                self.errors.push(syn::Error::new(marked.at, message));
            }
        }
        let ty = (*param.ty).clone();
        let description = docs::description(&param.attrs);
        let field = Field { ident: ident.clone(), ty, description, attrs };
        if !self.names.insert(field.name()) {
            let message = format!("two parameters are called `{}`", field.name());
            self.errors.at(&ident, message);
        }
        self.fields.push(field);
        self.inputs.push(Input::Field(ident));
    }

    fn ident(&mut self, pattern: &Pat) -> Option<Ident> {
        match pattern {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                Some(pat.ident.clone())
            }
            other => {
                let message = "give the parameter a name, and take it apart in the body: \
                               the model calls it by that name";
                self.errors.at(other, message);
                None
            }
        }
    }

    fn finish(mut self) -> syn::Result<Params> {
        if self.whole.is_some()
            && let Some(field) = self.fields.first()
        {
            let message = "beside an `args` parameter only `&RunContext` may be taken: \
                           make this a field of the struct";
            self.errors.at(&field.ident, message);
        }
        for other in self.fields.iter().filter_map(Field::with) {
            if !self.names.contains(&other.value()) {
                self.errors.at(other, "there is no parameter of this name");
            }
        }
        let arguments = self.whole.unwrap_or(Arguments::Fields(self.fields));
        self.errors.finish(Params { arguments, inputs: self.inputs })
    }
}

fn fields_of(marked: Option<Marked>) -> Vec<String> {
    marked.into_iter().flat_map(|marked| marked.fields).map(|field| field.value()).collect()
}

/// Whether a type is `RunContext`, borrowed or not, by the last word of its path.
fn is_context(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|it| it.ident == "RunContext"),
        Type::Reference(reference) => is_context(&reference.elem),
        Type::Group(group) => is_context(&group.elem),
        Type::Paren(paren) => is_context(&paren.elem),
        _ => false,
    }
}
