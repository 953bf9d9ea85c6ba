//! [`complete`]: what holds for every operation, said once.

use http::Method;
use toolwright_pack::Credential;
use utoipa::openapi::{
    Content, OpenApi, Ref, RefOr, ResponseBuilder,
    path::{Operation, PathItem},
    schema::{
        AdditionalProperties, AllOfBuilder, AnyOfBuilder, Array, Object, Schema, SchemaType, Type,
    },
    security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
};

use super::needs::needs;

/// The name of the way to show who asks.
const TOKEN: &str = "token";

/// What every operation may answer.
const ALWAYS: [(&str, &str); 5] = [
    ("401", "Who asks is not known"),
    ("403", "Asked for under another name, or by another server's page"),
    ("429", "Too much to do; see `Retry-After`"),
    ("500", "Something went wrong in the server"),
    ("503", "The server is about to stop, or cannot write"),
];

/// What one may answer that anybody may ask.
const OPEN: [(&str, &str); 1] = [("500", "Something went wrong in the server")];

/// What an operation may answer that reads a body.
const WITH_BODY: [(&str, &str); 5] = [
    ("400", "No JSON"),
    ("408", "The body took too long"),
    ("413", "The body is too large"),
    ("415", "Not `application/json`"),
    ("422", "JSON that cannot be used"),
];

/// Adds to each operation what it has in common with the others.
pub(super) fn complete(description: &mut OpenApi) {
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("The server's token. Programs of the same user need none"))
        .build();
    let components = description.components.get_or_insert_default();
    components.security_schemes.insert(TOKEN.to_owned(), SecurityScheme::Http(scheme).into());
    description.security = Some(vec![SecurityRequirement::new::<_, _, String>(TOKEN, [])]);
    for operation in description.paths.paths.values_mut().flat_map(operations) {
        // Whom nobody is asked about, nobody is turned away for.
        let is_open = operation.security.is_some();
        answers(operation, if is_open { &OPEN } else { &ALWAYS });
        if operation.request_body.is_some() {
            answers(operation, &WITH_BODY);
        }
    }
}

/// Says of each operation what somebody must be allowed for it (`x-scope`), and what it is called in the audit log: always
/// (`x-audit`), or where it shows what is somebody else's (`x-audit-others`).
pub(super) fn with_scopes(description: &mut OpenApi) {
    for (path, item) in &mut description.paths.paths {
        let methods = [
            (Method::GET, &mut item.get),
            (Method::POST, &mut item.post),
            (Method::PUT, &mut item.put),
            (Method::PATCH, &mut item.patch),
            (Method::DELETE, &mut item.delete),
        ];
        for (method, operation) in methods {
            let (Some(operation), Some(row)) = (operation, needs(&method, path)) else { continue };
            let scope = row.need.name().map(|scope| ("x-scope", scope));
            for (key, word) in scope.into_iter().chain(row.audited.described()) {
                let told = operation.extensions.get_or_insert_default();
                told.insert(key.to_owned(), word.into());
            }
        }
    }
}

/// Adds the credentials that may come with a question: what they are only packs know.
pub(super) fn with_credentials(
    description: &mut OpenApi,
    credentials: impl Iterator<Item = Credential>,
) {
    let credentials: Vec<_> = credentials.collect();
    let components = description.components.get_or_insert_default();
    for name in ["Asking", "Again"] {
        let Some(RefOr::T(Schema::Object(body))) = components.schemas.get_mut(name) else {
            continue;
        };
        for credential in &credentials {
            let types = SchemaType::from_iter([Type::String, Type::Null]);
            let text = Object::builder().schema_type(types).description(Some(credential.about));
            body.properties.insert(credential.field.to_owned(), text.build().into());
        }
        body.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    }
}

/// Says when a question, or what is said to a run, may be empty: where something is attached.
pub(super) fn with_attachments(description: &mut OpenApi) {
    // What there is to read: `text::is_blank` has the same characters.
    const READABLE: &str =
        r"[^\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]";
    let components = description.components.get_or_insert_default();
    for name in ["Asking", "Saying"] {
        let Some(said) = components.schemas.get_mut(name) else { continue };
        let text = Object::builder().schema_type(Type::String).pattern(Some(READABLE));
        let says = Object::builder().property("message", text).required("message");
        let some = Array::builder().min_items(Some(1));
        let brings = Object::builder().property("attachments", some).required("attachments");
        let either = AnyOfBuilder::new().item(says).item(brings);
        let both = AllOfBuilder::new().item(said.clone()).item(either);
        *said = RefOr::T(Schema::AllOf(both.build()));
    }
}

fn operations(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let all = [&mut path.get, &mut path.post, &mut path.put, &mut path.patch, &mut path.delete];
    all.into_iter().flatten()
}

/// What an operation says itself stays.
fn answers(operation: &mut Operation, all: &[(&str, &str)]) {
    for (status, meaning) in all {
        let failed = Content::new(Some(Ref::from_schema_name("Failed")));
        let response = ResponseBuilder::new()
            .description(*meaning)
            .content("application/json", failed)
            .build();
        let responses = &mut operation.responses.responses;
        responses.entry((*status).to_owned()).or_insert_with(|| response.into());
    }
}
