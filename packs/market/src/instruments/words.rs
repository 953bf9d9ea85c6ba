//! [`Words`]: text as it is compared.

/// The longest text that is looked at, in characters: no name is longer.
pub(super) const LONGEST: usize = 160;

/// Words that tell no instrument from another.
const EMPTY: [&str; 3] = ["ltd", "limited", "and"];

/// Text as it is compared: small letters and digits, one space between words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words(String);

impl Words {
    /// The words of a text. `M&M` and `Dr.` are one word each, `BAJAJ-AUTO` is two.
    pub(super) fn of(text: &str) -> Self {
        let mut all = String::with_capacity(text.len());
        for c in text.chars().take(LONGEST) {
            match c {
                '&' | '.' | '\'' | '’' => {}
                c if c.is_ascii_alphanumeric() => all.push(c.to_ascii_lowercase()),
                c if c.is_alphanumeric() => all.extend(c.to_lowercase()),
                _ => all.push(' '),
            }
        }
        let told = Self::join(all.split_whitespace().filter(|it| !EMPTY.contains(it)));
        // A name made only of such words still has to be found.
        if told.is_empty() { Self::join(all.split_whitespace()) } else { told }
    }

    /// These words, in this order.
    pub(super) fn join<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let mut all = String::new();
        for word in words {
            if !all.is_empty() {
                all.push(' ');
            }
            all.push_str(word);
        }
        Self(all)
    }

    /// Each of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.split_whitespace()
    }

    /// As one text.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Without the spaces: `bank nifty` and `BANKNIFTY` are the same.
    pub(super) fn squeezed(&self) -> String {
        self.0.chars().filter(|c| *c != ' ').collect()
    }

    /// Whether they tell no instrument from another, or there are none.
    pub(super) fn is_idle(&self) -> bool {
        self.iter().all(|it| EMPTY.contains(&it))
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
