//! [`Verbs`]: "Watched …", in the languages of the exports.

/// How languages say that something was watched: what comes before the title, and what after it.
const AFFIXES: [(&str, &str); 32] = [
    ("Watched ", ""),
    ("", " angesehen"),
    ("Vous avez regardé ", ""),
    ("Has visto ", ""),
    ("Hai guardato ", ""),
    ("Je hebt naar ", " gekeken"),
    ("Tittade på ", ""),
    ("Så på ", ""),
    ("Så ", ""),
    ("", " katsottiin"),
    ("Obejrzano: ", ""),
    ("Zhlédli jste video ", ""),
    ("Megtekintette a következőt: ", ""),
    ("Ați vizionat ", ""),
    ("Гледахте ", ""),
    ("Παρακολουθήσατε το βίντεο ", ""),
    ("Просмотрено видео ", ""),
    ("Ви дивилися відео ", ""),
    ("", " adlı videoyu izlediniz"),
    ("", " izlənildi"),
    ("", " を視聴しました"),
    ("", "を視聴しました"),
    ("", " 을(를) 시청했습니다."),
    ("", "을(를) 시청했습니다."),
    ("", " देखा"),
    ("", " দেখা হয়েছে"),
    ("", " دیکھی"),
    // Which side it is on depends on who wrote the line down.
    ("را تماشا کردید ", ""),
    ("", " را تماشا کردید"),
    ("تمت مشاهدة ", " ."),
    ("تمت مشاهدة ", ""),
    ("Pinanood ang ", ""),
];

/// Takes the verb off what an export says, and remembers which one it uses: a title may begin or end
/// with the verb of another language.
#[derive(Clone, Debug)]
pub(super) struct Verbs {
    seen: [u32; AFFIXES.len()],
}

impl Default for Verbs {
    fn default() -> Self {
        Self { seen: [0; AFFIXES.len()] }
    }
}

impl Verbs {
    /// The title in what an export says. One verb is taken off, and only where something remains.
    pub(super) fn title<'a>(&mut self, said: &'a str) -> &'a str {
        let fitting = AFFIXES.iter().zip(&mut self.seen).filter_map(|(affixes, seen)| {
            let (before, after) = affixes;
            let rest = said.strip_prefix(before)?.strip_suffix(after)?.trim();
            (!rest.is_empty()).then_some((rest, before.len() + after.len(), seen))
        });
        let Some((rest, _, seen)) = fitting.max_by_key(|(_, length, seen)| (**seen, *length))
        else {
            return said;
        };
        *seen = seen.saturating_add(1);
        rest
    }
}

/// What an export says, with plain blanks, and without the marks of direction around it.
pub(super) fn plain(said: &str) -> String {
    let blanks = said.replace(['\u{a0}', '\u{202f}', '\u{2003}', '\t', '\n', '\r'], " ");
    blanks.trim_matches(|it: char| it.is_whitespace() || is_mark(it)).to_owned()
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
