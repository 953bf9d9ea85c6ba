//! [`Verbs`]: "Watched …", in the languages of the exports.
//!
//! The verbs that were seen in exports are listed. Those of other languages are learned from the file: what
//! nearly all its sentences begin or end with is no part of a title.

/// How languages say that something was watched: which, what comes before the title, and what after it.
const AFFIXES: [(&str, &str, &str); 32] = [
    ("en", "Watched ", ""),
    ("de", "", " angesehen"),
    ("fr", "Vous avez regardé ", ""),
    ("es", "Has visto ", ""),
    ("it", "Hai guardato ", ""),
    ("nl", "Je hebt naar ", " gekeken"),
    ("sv", "Tittade på ", ""),
    ("nb", "Så på ", ""),
    ("da", "Så ", ""),
    ("fi", "", " katsottiin"),
    ("pl", "Obejrzano: ", ""),
    ("cs", "Zhlédli jste video ", ""),
    ("hu", "Megtekintette a következőt: ", ""),
    ("ro", "Ați vizionat ", ""),
    ("bg", "Гледахте ", ""),
    ("el", "Παρακολουθήσατε το βίντεο ", ""),
    ("ru", "Просмотрено видео ", ""),
    ("uk", "Ви дивилися відео ", ""),
    ("tr", "", " adlı videoyu izlediniz"),
    ("az", "", " izlənildi"),
    ("ja", "", " を視聴しました"),
    ("ja", "", "を視聴しました"),
    ("ko", "", " 을(를) 시청했습니다."),
    ("ko", "", "을(를) 시청했습니다."),
    ("hi", "", " देखा"),
    ("bn", "", " দেখা হয়েছে"),
    ("ur", "", " دیکھی"),
    // Which side it is on depends on who wrote the line down.
    ("fa", "را تماشا کردید ", ""),
    ("fa", "", " را تماشا کردید"),
    ("ar", "تمت مشاهدة ", " ."),
    ("ar", "تمت مشاهدة ", ""),
    ("fil", "Pinanood ang ", ""),
];

/// Fewer sentences may begin alike by chance.
const ENOUGH: usize = 8;
/// Of so many, one may be something else.
const EXCEPTION: usize = 20;

/// Takes the verb off what an export says, and remembers which one it uses: a title may begin or end
/// with the verb of another language.
#[derive(Clone, Debug)]
pub(super) struct Verbs {
    seen: [u32; AFFIXES.len()],
    /// What the sentences of this file have around their titles.
    learned: Option<(String, String)>,
}

impl Default for Verbs {
    fn default() -> Self {
        Self { seen: [0; AFFIXES.len()], learned: None }
    }
}

impl Verbs {
    /// Learns the verb of a file by its sentences, where it is none of those that are known.
    pub(super) fn learn(&mut self, said: &[String]) {
        let mut apart: Vec<&str> = said.iter().map(String::as_str).collect();
        apart.sort_unstable();
        apart.dedup();
        let known = apart.iter().filter(|it| languages(it).next().is_some()).count();
        if apart.len() < ENOUGH || known * 2 > apart.len() {
            return;
        }
        let before = common(&apart);
        let mut mirrored: Vec<String> = apart.iter().map(|it| it.chars().rev().collect()).collect();
        mirrored.sort_unstable();
        let mirrored: Vec<&str> = mirrored.iter().map(String::as_str).collect();
        let after: String = common(&mirrored).chars().rev().collect();
        if !before.is_empty() || !after.is_empty() {
            self.learned = Some((before.to_owned(), after));
        }
    }

    /// The title in what an export says. One verb is taken off, and only where something remains.
    pub(super) fn title<'a>(&mut self, said: &'a str) -> &'a str {
        if let Some((before, after)) = &self.learned {
            return without(said, before, after).unwrap_or(said);
        }
        let fitting =
            AFFIXES.iter().zip(&mut self.seen).filter_map(|((_, before, after), seen)| {
                Some((without(said, before, after)?, before.len() + after.len(), seen))
            });
        let Some((rest, _, seen)) = fitting.max_by_key(|(_, length, seen)| (**seen, *length))
        else {
            return said;
        };
        *seen = seen.saturating_add(1);
        rest
    }
}

/// The languages whose verb a sentence has.
pub(super) fn languages(said: &str) -> impl Iterator<Item = &'static str> {
    let fits = move |(language, before, after): &(&'static str, &str, &str)| {
        without(said, before, after).map(|_| *language)
    };
    AFFIXES.iter().filter_map(fits)
}

fn without<'a>(said: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let rest = said.strip_prefix(before)?.strip_suffix(after)?.trim();
    (!rest.is_empty()).then_some(rest)
}

/// The longest beginning that nearly all of these share, which are in order; up to the end of a word, where
/// words have ends.
fn common<'a>(sorted: &[&'a str]) -> &'a str {
    let most = sorted.len() - sorted.len() / EXCEPTION;
    let shared = sorted.windows(most).filter_map(|it| Some(shared(it.first()?, it.last()?)));
    let longest = shared.max_by_key(|it| it.len()).unwrap_or_default();
    let is_end =
        |it: char| it.is_whitespace() || matches!(it, ':' | '：' | '"' | '“' | '”' | '«' | '»');
    let last = longest.char_indices().rev().find(|(_, it)| is_end(*it));
    match last.and_then(|(at, it)| longest.get(..at + it.len_utf8())) {
        Some(words) => words,
        // Where words are written without blanks, all of it; one letter is chance.
        None if longest.chars().nth(1).is_some() && !longest.is_ascii() => longest,
        None => "",
    }
}

fn shared<'a>(one: &'a str, other: &str) -> &'a str {
    let end = one.char_indices().zip(other.chars()).find(|((_, one), other)| one != other);
    let end = end.map_or(one.len().min(other.len()), |((at, _), _)| at);
    one.split_at_checked(end).map_or("", |(shared, _)| shared)
}

/// What an export says, with plain blanks, and without the marks of direction around it.
pub(super) fn plain(said: &str) -> String {
    let blanks = said.replace(['\u{a0}', '\u{202f}', '\u{2003}', '\t', '\n', '\r'], " ");
    blanks.trim_matches(|it: char| it.is_whitespace() || is_mark(it)).to_owned()
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
