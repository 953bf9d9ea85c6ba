//! [`document`]: a conversation as a file that is looked at without a server.
//!
//! What is in it was written by models and tools: it is data that only the viewer reads. The file loads nothing, and
//! runs nothing but the viewer. The page makes the same of what it shows (`web/src/events/documents.ts`).

use crate::page;

/// A conversation as a file that is looked at without a server: `export` is what an export has, as JSON. Nothing where
/// the page was not built into this program.
pub fn document(title: &str, export: &str) -> Option<String> {
    let (script, style) = (page::text("viewer.js")?, page::text("viewer.css")?);
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    let nonce: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(filled(title, export, &script, &style, &nonce))
}

fn filled(title: &str, export: &str, script: &str, style: &str, nonce: &str) -> String {
    let title = escaped(if title.trim().is_empty() { "Toolwright" } else { title.trim() });
    // Neither sheet nor script has reason to speak of its own end.
    let style = style.replace("</", "<\\/");
    let script = ["</script", "<!--"]
        .iter()
        .fold(script.to_owned(), |text, end| text.replace(end, &end.replacen('<', "\\x3c", 1)));
    let export = export.replace('<', "\\u003c");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{nonce}'; \
         style-src 'nonce-{nonce}'; img-src data: blob:; media-src blob:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style nonce=\"{nonce}\">{style}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n\
         <noscript>This file needs JavaScript to be shown.</noscript>\n\
         <script type=\"application/json\" id=\"export\">{export}</script>\n\
         <script nonce=\"{nonce}\">{script}</script>\n</body>\n</html>\n"
    )
}

fn escaped(text: &str) -> String {
    let with = |text: String, (from, to): &(char, &str)| text.replace(*from, to);
    [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;")]
        .iter()
        .fold(text.to_owned(), with)
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn nothing_in_a_conversation_is_markup() {
        let export = r#"{"a":"</script><script>alert(1)</script><!--"}"#;
        let text = filled("</title><img src=x>", export, "let a = '</script>'", "a{}", "n0");
        assert_eq!(text.matches("<script").count(), 2, "{text}");
        assert_eq!(text.matches("</script>").count(), 2, "{text}");
        assert!(!text.contains("<img") && !text.contains("<!--"), "{text}");
        assert!(text.contains("script-src 'nonce-n0'"), "{text}");
    }
}
