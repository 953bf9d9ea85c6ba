//! [`seconds`]: units of time by their names, in the languages answers are written in.

/// How many seconds the unit of this name, in lower case, has.
pub(super) fn seconds(word: &str) -> Option<f64> {
    Some(match word {
        "ms" | "millisecond" | "milliseconds" | "millisekunden" | "millisecondes"
        | "milisegundos" => 0.001,
        "s" | "sec" | "secs" | "second" | "seconds" | "sek" | "sekunde" | "sekunden"
        | "seconde" | "secondes" | "segundo" | "segundos" | "secondo" | "secondi" | "seconden"
        | "sekund" | "sekunder" | "sekundy" | "saniye" | "секунд" | "секунды" | "секунда"
        | "сек" | "с" => 1.0,
        "min" | "mins" | "minute" | "minutes" | "minuten" | "minuto" | "minutos" | "minuti"
        | "minuut" | "minut" | "minuter" | "minuty" | "dakika" | "dk" | "минут" | "минуты"
        | "минута" | "мин" => 60.0,
        "h" | "hr" | "hrs" | "hour" | "hours" | "std" | "stunde" | "stunden" | "heure"
        | "heures" | "hora" | "horas" | "ora" | "ore" | "uur" | "uren" | "timme" | "timmar"
        | "godzin" | "godziny" | "godzina" | "godz" | "saat" | "час" | "часа" | "часов" | "ч" => {
            3_600.0
        }
        "d" | "day" | "days" | "tag" | "tage" | "tagen" | "jour" | "jours" | "día" | "días"
        | "dia" | "dias" | "giorno" | "giorni" | "dag" | "dagen" | "dagar" | "dni" | "dzień"
        | "gün" | "день" | "дня" | "дней" => 86_400.0,
        "w" | "wk" | "week" | "weeks" | "woche" | "wochen" | "semaine" | "semaines" | "semana"
        | "semanas" | "settimana" | "settimane" | "weken" | "vecka" | "veckor" | "tydzień"
        | "tygodnie" | "tygodni" | "hafta" | "неделя" | "недели" | "недель" => {
            604_800.0
        }
        "month" | "months" | "monat" | "monate" | "monaten" | "mois" | "mes" | "meses" | "mese"
        | "mesi" | "mês" | "maand" | "maanden" | "månad" | "månader" | "miesiąc" | "miesiące"
        | "miesięcy" | "ay" | "месяц" | "месяца" | "месяцев" => 2_629_800.0,
        "y" | "yr" | "yrs" | "year" | "years" | "jahr" | "jahre" | "jahren" | "ans" | "année"
        | "années" | "año" | "años" | "anno" | "anni" | "ano" | "anos" | "jaar" | "jaren"
        | "år" | "rok" | "lata" | "lat" | "yıl" | "год" | "года" | "лет" => {
            31_557_600.0
        }
        _ => return None,
    })
}

/// How many seconds the unit has that a text begins with, in scripts where no space or no letter ends a
/// word, and how long its name is.
pub(super) fn begins(text: &str) -> Option<(f64, usize)> {
    if text.starts_with(|c: char| c.is_ascii()) {
        return None;
    }
    let all = BEGINNINGS
        .iter()
        .flat_map(|(each, names)| names.split_whitespace().map(move |name| (*each, name)));
    let known = all.filter(|(_, name)| text.starts_with(name));
    known.max_by_key(|(_, name)| name.len()).map(|(each, name)| (each, name.len()))
}

const BEGINNINGS: &[(f64, &str)] = &[
    (1.0, "秒 秒間 秒钟 秒鐘 सेकंड सेकेंड सेकण्ड"),
    (60.0, "分 分間 分钟 分鐘 मिनट"),
    (3_600.0, "時間 小时 小時 घंटे घंटा घंटों घण्टे"),
    (86_400.0, "日間 天 दिन दिनों"),
    (604_800.0, "週間 週 周 सप्ताह हफ़्ते हफ्ते"),
    (2_629_800.0, "か月 ヶ月 カ月 个月 個月 महीने महीनों"),
    (31_557_600.0, "年間 साल वर्ष"),
];
