//! Doc comments as the words a model reads.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The doc comment among the attributes: a paragraph becomes a line, as rustdoc would show it;
/// lists, headings, tables and code keep their lines. The sections that rustdoc and clippy ask for
/// (`# Errors`, `# Panics`) speak to callers in Rust and are left out. Nothing when there are no
/// words.
pub(crate) fn description(attrs: &[Attribute]) -> Option<String> {
    let mut page = Page::default();
    for text in attrs.iter().filter_map(text) {
        for line in lines(&text) {
            page.add(line);
        }
    }
    page.finish()
}

/// Whether an attribute is a doc comment, as opposed to `#[doc(hidden)]` and its like.
pub(crate) fn is_doc(attr: &Attribute) -> bool {
    attr.path().is_ident("doc") && matches!(attr.meta, Meta::NameValue(_))
}

fn text(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attr.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return None };
    pair.path.is_ident("doc").then(|| text.value())
}

/// The lines of one comment, without the column of stars a `/** … */` may have.
fn lines(text: &str) -> Vec<&str> {
    let starred = text.split('\n').skip(1).map(str::trim_start).filter(|line| !line.is_empty());
    let stars = text.contains('\n') && starred.clone().all(|line| line.starts_with('*'));
    let bare = |line| if stars { strip_star(line) } else { line };
    // Not `lines()`: an empty comment is one empty line.
    text.split('\n').map(bare).collect()
}

fn strip_star(line: &str) -> &str {
    line.trim_start().strip_prefix('*').unwrap_or(line)
}

/// Text in the making.
#[derive(Default)]
struct Page {
    lines: Vec<String>,
    /// Whether the next line goes on where the last one ends.
    open: bool,
    in_code: bool,
    /// Whether this section is not for the model.
    skipping: bool,
}

impl Page {
    fn add(&mut self, line: &str) {
        let words = line.trim();
        if words.starts_with("# ") && !self.in_code {
            self.skipping = matches!(words, "# Errors" | "# Panics" | "# Safety");
        }
        if self.skipping {
            return;
        }
        if words.starts_with("```") || words.starts_with("~~~") {
            self.in_code = !self.in_code;
            self.put(words);
        } else if self.in_code {
            // The space after `///` is not part of the code; what follows it is.
            self.put(line.strip_prefix(' ').unwrap_or(line).trim_end());
        } else if words.is_empty() {
            self.blank();
        } else {
            self.prose(words);
        }
    }

    fn prose(&mut self, words: &str) {
        match self.lines.last_mut() {
            Some(last) if self.open && !starts_line(words) => {
                last.push(' ');
                last.push_str(words);
            }
            _ => self.put(words),
        }
        self.open = !words.starts_with('#');
    }

    fn put(&mut self, line: &str) {
        self.lines.push(line.to_owned());
        self.open = false;
    }

    fn blank(&mut self) {
        self.open = false;
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(String::new());
        }
    }

    fn finish(self) -> Option<String> {
        let text = self.lines.join("\n");
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// Whether a line means something by starting where it does.
fn starts_line(line: &str) -> bool {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['#', '>', '|'])
        || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || (numbered.len() < line.len() && numbered.starts_with(". "))
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::{Attribute, ItemStruct};

    use super::description;

    fn read(comment: &proc_macro2::TokenStream) -> Option<String> {
        let item: ItemStruct = syn::parse2(quote!(#comment struct Unit;)).unwrap();
        let attrs: Vec<Attribute> = item.attrs;
        description(&attrs)
    }

    #[test]
    fn joins_a_paragraph_and_keeps_a_list() {
        let text = read(&quote! {
            #[doc = " Find a video."]
            #[doc = " The newest first."]
            #[doc = ""]
            #[doc = ""]
            #[doc = " Takes:"]
            #[doc = " - a title,"]
            #[doc = "   or part of one"]
            #[doc = " 2. a channel"]
        });
        let expected = "Find a video. The newest first.\n\nTakes:\n\
                        - a title, or part of one\n2. a channel";
        assert_eq!(text.as_deref(), Some(expected));
    }

    #[test]
    fn keeps_code_as_it_is() {
        let text = read(&quote! {
            #[doc = " Run it:"]
            #[doc = " ```"]
            #[doc = " if x:"]
            #[doc = "     y()"]
            #[doc = " ```"]
            #[doc = " and wait."]
        });
        assert_eq!(text.as_deref(), Some("Run it:\n```\nif x:\n    y()\n```\nand wait."));
    }

    #[test]
    fn leaves_out_what_is_for_callers_in_rust() {
        let text = read(&quote! {
            #[doc = " Buy."]
            #[doc = ""]
            #[doc = " # Errors"]
            #[doc = " When the market is closed."]
            #[doc = " # Hours"]
            #[doc = " Nine to four."]
        });
        assert_eq!(text.as_deref(), Some("Buy.\n\n# Hours\nNine to four."));
    }

    #[test]
    fn reads_a_block_comment() {
        let text = read(&quote!(#[doc = "\n * Find a video.\n *\n * Or two.\n "]));
        assert_eq!(text.as_deref(), Some("Find a video.\n\nOr two."));
    }

    #[test]
    fn no_words_are_no_description() {
        assert_eq!(read(&quote!(#[doc = " "] #[doc(hidden)])), None);
    }
}
