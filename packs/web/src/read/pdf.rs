//! The text of a PDF.

use super::{Document, plain::tidy};

/// What a PDF says.
///
/// # Errors
/// When it cannot be read, in a few words.
pub(super) fn text(bytes: &[u8]) -> Result<Document, String> {
    let text = pdf_extract::extract_text_from_mem(bytes)
        .map_err(|_| "it is damaged, encrypted, or no PDF".to_owned())?;
    let text = tidy(&text);
    match text.is_empty() {
        true => Err("it has no text in it, only pictures perhaps".to_owned()),
        false => Ok(Document { title: None, text }),
    }
}
