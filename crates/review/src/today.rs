//! [`Today`]: what day it is by the instructions, which an answer may say, and rest nothing else on.

use toolwright_core::{Conversation, Message};

use super::{
    moment::{Date, Moment},
    scan::{What, scan},
};

/// What day it is.
#[derive(Default)]
pub(super) struct Today {
    dates: Vec<Date>,
    /// Whether that is what the person wants to know.
    asked: bool,
}

impl Today {
    /// What the instructions of a conversation say it is: `Today is Friday, 5 January 2024.`
    pub(super) fn of(conversation: &Conversation) -> Self {
        const IS: &str = "today is ";
        let mut today = Self::default();
        for message in conversation.messages() {
            match &**message {
                Message::System(text) => {
                    for line in text.lines() {
                        // Letters keep their length in ASCII, and no other matters here.
                        let at = line.to_ascii_lowercase().find(IS).map(|at| at + IS.len());
                        let said = at.and_then(|at| line.get(at..)).unwrap_or_default();
                        let said = said.split(". ").next().unwrap_or_default();
                        scan(said, &mut |mention| {
                            if let What::Moment(moment) = mention.what {
                                today.dates.extend(moment.dates);
                            }
                        });
                    }
                }
                Message::User(user) if user.is_turn() => {
                    today.asked = words(&user.content).any(|it| is_day(&it));
                }
                _ => {}
            }
        }
        today
    }

    /// Whether a line says what day it is, and nothing else, with the moment at `start`.
    pub(super) fn is(&self, moment: &Moment, line: &str, start: usize) -> bool {
        let same = |it: &Date| {
            let known = |day: &Date| match (it.year, it.day) {
                (None, Some(_)) => it.month == day.month && it.day == day.day,
                (_, None) => it.month == day.month && it.year == day.year,
                _ => it == day,
            };
            self.dates.iter().any(known)
        };
        if moment.clock.is_some() || !moment.dates.iter().any(same) {
            return false;
        }
        let before = line.get(..start).unwrap_or_default();
        let sentence = before.rsplit(['.', '!', '?', ';', '。', '：']).next().unwrap_or_default();
        let mut said = words(sentence).peekable();
        let mut named = self.asked && said.peek().is_some();
        let idle = said.all(|it| {
            named |= is_day(&it);
            is_day(&it) || is_idle(&it)
        });
        idle && named
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '’')));
    words.filter(|it| !it.is_empty()).map(str::to_lowercase)
}

/// Words for this day, or for what a date is.
fn is_day(word: &str) -> bool {
    const DAY: &str = "
        today today's today’s date heute aujourd'hui aujourd’hui hoy oggi hoje vandaag idag dag dziś
        dzisiaj bugün сегодня आज 今日 今日は 今天 今天是 本日 本日は fecha data datum";
    DAY.split_whitespace().any(|it| it == word)
}

/// What a sentence that says what day it is has besides.
fn is_idle(word: &str) -> bool {
    const IDLE: &str = "
        the is it it's it’s as of on right now current currently day a
        monday tuesday wednesday thursday friday saturday sunday
        ist es der den montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
        nous sommes est le c'est c’est lundi mardi mercredi jeudi vendredi samedi dimanche
        es el estamos a lunes martes miércoles jueves viernes sábado domingo
        è il siamo lunedì martedì mercoledì giovedì venerdì sabato domenica
        é o segunda terça quarta quinta sexta feira
        het maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
        det är den i måndag tisdag onsdag torsdag fredag lördag söndag
        jest poniedziałek wtorek środa czwartek piątek sobota niedziela
        pazartesi salı çarşamba perşembe cuma cumartesi pazar
        понедельник вторник среда четверг пятница суббота воскресенье";
    IDLE.split_whitespace().any(|it| it == word)
}
