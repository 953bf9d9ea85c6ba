//! [`Unit`]: what stands behind a number and says what it counts.
//!
//! A source may give the same quantity in another unit: bytes for megabytes, seconds for minutes,
//! Celsius for Fahrenheit. A unit knows by which factors a source may differ.

use super::time;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unit {
    /// Nothing said, or a thing: `24 videos`.
    Bare,
    Percent,
    Currency,
    Celsius,
    Fahrenheit,
    /// Degrees of a scale that is not named.
    Degrees,
    /// A time, in seconds each.
    Seconds(f64),
    /// Something measured; a source may be this many times the figure.
    Measure(&'static [f64]),
    /// `2.5x`.
    Times,
    /// `3rd`, `1990s`: a place in an order, not a quantity.
    Ordinal,
}

/// What follows a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tail {
    /// What the number is to be multiplied by; several where the letter may mean several things.
    pub(super) scales: &'static [f64],
    pub(super) unit: Unit,
    /// How many bytes of it belong to the number.
    pub(super) length: usize,
}

const ONE: &[f64] = &[1.0];
const LAKH_CRORE: &[f64] = &[1e12];
const METRES: Unit = Unit::Measure(&[3.280_84, 0.001, 100.0]);
const KB: f64 = 1024.0;

/// The scale and the unit that `text`, which begins right behind a number's digits, gives it.
pub(super) fn tail(text: &str) -> Tail {
    let (gap, word) = word(text);
    let (found, length) = unit(text);
    let scales = if found == Unit::Bare { scale(word) } else { None };
    let Some(scales) = scales else { return Tail { scales: ONE, unit: found, length } };
    let (scales, scaled) = match crores(text.get(gap + word.len()..).unwrap_or_default()) {
        Some(length) if scales == [1e5] => (LAKH_CRORE, gap + word.len() + length),
        _ => (scales, gap + word.len()),
    };
    let (unit, length) = match unit(text.get(scaled..).unwrap_or_default()) {
        // If it is not a million, it is a metre.
        (Unit::Bare, _) if word == "m" => (METRES, 0),
        found => found,
    };
    Tail { scales, unit, length: scaled + length }
}

/// How long ` crore` is, where it follows: large sums are told in lakhs of crores.
fn crores(text: &str) -> Option<usize> {
    let (gap, word) = word(text);
    matches!(word, "crore" | "crores" | "cr").then_some(gap + word.len())
}

/// The letters that follow, perhaps behind one space, and how long that space is.
fn word(text: &str) -> (usize, &str) {
    let solid = text.trim_start_matches(is_space);
    let gap = text.len() - solid.len();
    let end = solid.find(|c: char| !c.is_alphabetic()).unwrap_or(solid.len());
    // Where no space parts words, or a mark is no letter, a word ends where it is known to.
    let spaced = solid.starts_with(|c: char| c.is_ascii());
    let known = SCALES.iter().find(|(it, _)| !spaced && solid.starts_with(it));
    let end = known.map_or(end, |(it, _)| it.len());
    (gap, solid.get(..end).unwrap_or_default())
}

/// The spaces that separate a number from its unit, or its thousands from each other.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{2007}' | '\u{2009}' | '\u{202f}')
}

/// Scales of scripts that are read by what a word begins with.
const SCALES: &[(&str, &[f64])] = &[
    ("千", &[1e3]),
    ("万", &[1e4]),
    ("萬", &[1e4]),
    ("億", &[1e8]),
    ("亿", &[1e8]),
    ("हज़ार", &[1e3]),
    ("हजार", &[1e3]),
    ("लाख", &[1e5]),
    ("करोड़", &[1e7]),
    ("करोड", &[1e7]),
];

fn scale(word: &str) -> Option<&'static [f64]> {
    let known = SCALES.iter().find(|(it, _)| !word.is_ascii() && *it == word);
    if let Some((_, scales)) = known {
        return Some(scales);
    }
    // Case tells a million from a metre.
    match word {
        "M" => return Some(&[1e6]),
        "m" => return Some(&[1e6, 1.0]),
        "T" => return Some(&[1e12, 1.0]),
        "L" => return Some(&[1e5, 1.0]),
        _ => {}
    }
    Some(match word.to_lowercase().as_str() {
        "k" | "thousand" | "tsd" | "tausend" | "mille" | "mil" | "mila" | "duizend" | "tusen"
        | "tys" | "tysięcy" | "tysiące" | "bin" | "тыс" | "тысяч" | "тысячи" => {
            &[1e3]
        }
        "mn" | "mio" | "mln" | "million" | "millions" | "millionen" | "millones" | "milioni"
        | "milhões" | "miljoen" | "miljoner" | "milionów" | "miliony" | "milyon" | "млн"
        | "миллионов" | "миллиона" => &[1e6],
        "b"
        | "bn"
        | "billion"
        | "billions"
        | "mrd"
        | "mld"
        | "milliarden"
        | "milliards"
        | "miliardi"
        | "bilhões"
        | "miljard"
        | "miljarder"
        | "miliardów"
        | "milyar"
        | "млрд"
        | "миллиардов" => &[1e9],
        "tn" | "trillion" | "trillions" => &[1e12],
        "lakh" | "lakhs" | "lac" | "lacs" => &[1e5],
        "cr" | "crore" | "crores" => &[1e7],
        _ => return None,
    })
}

/// The unit at the start of `text` and how much of it is quoted with the number: signs and what is
/// written together with it, not a word that follows.
fn unit(text: &str) -> (Unit, usize) {
    let solid = text.trim_start_matches(is_space);
    let gap = text.len() - solid.len();
    let sign = match solid.chars().next() {
        Some('%' | '％') => Some(Unit::Percent),
        Some('℃') => Some(Unit::Celsius),
        Some('℉') => Some(Unit::Fahrenheit),
        Some('°') => return degrees(solid, gap),
        Some(c) if is_currency(c) => Some(Unit::Currency),
        _ => None,
    };
    if let Some(unit) = sign {
        return (unit, gap + solid.chars().next().map_or(0, char::len_utf8));
    }
    let cents = ["per cent", "pour cent", "por ciento", "por cento", "per cento"];
    if let Some(words) = cents.iter().find(|it| solid.starts_with(**it)) {
        return (Unit::Percent, gap + words.len());
    }
    if let Some((unit, length)) = begins(solid) {
        return (unit, if gap == 0 { length } else { 0 });
    }
    let end = solid.find(|c: char| !(c.is_alphanumeric() || c == '/')).unwrap_or(solid.len());
    let word = solid.get(..end).unwrap_or_default();
    let first = word.split('/').next().unwrap_or_default();
    let attached = |it: &str| if gap == 0 { it.len() } else { 0 };
    match (named(word), named(first)) {
        (Some(unit), _) => (unit, attached(word)),
        // `5/month` is 5 of what it is.
        (None, Some(unit)) => (unit, attached(first)),
        (None, None) => (Unit::Bare, 0),
    }
}

/// `°`, `°C`, `° F`.
fn degrees(text: &str, gap: usize) -> (Unit, usize) {
    let after = text.strip_prefix('°').unwrap_or_default();
    let solid = after.trim_start_matches(is_space);
    let ends = !solid.chars().nth(1).is_some_and(char::is_alphanumeric);
    let until_letter = gap + text.len() - solid.len() + 1;
    match solid.chars().next() {
        Some('C' | 'c') if ends => (Unit::Celsius, until_letter),
        Some('F' | 'f') if ends => (Unit::Fahrenheit, until_letter),
        _ => (Unit::Degrees, gap + '°'.len_utf8()),
    }
}

pub(super) fn is_currency(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₩' | '₽' | '₿' | '¢' | '₺' | '₫' | '₴' | '₦' | '฿')
}

/// The unit that a text begins with, in a script that is read so, and how long its name is.
pub(super) fn begins(text: &str) -> Option<(Unit, usize)> {
    if text.starts_with(|c: char| c.is_ascii()) {
        return None;
    }
    let signs = || {
        Some(match text {
            _ if text.starts_with("度") => (Unit::Degrees, "度".len()),
            _ if text.starts_with("डिग्री") => (Unit::Degrees, "डिग्री".len()),
            _ if text.starts_with("パーセント") => (Unit::Percent, "パーセント".len()),
            _ if text.starts_with("प्रतिशत") => (Unit::Percent, "प्रतिशत".len()),
            _ => return None,
        })
    };
    let time = time::begins(text).map(|(each, length)| (Unit::Seconds(each), length));
    time.or_else(signs)
}

/// The unit of this name.
pub(super) fn named(word: &str) -> Option<Unit> {
    match word {
        "C" => return Some(Unit::Celsius),
        "F" => return Some(Unit::Fahrenheit),
        "MB" => return Some(Unit::Measure(&[1e6, KB * KB, 1e3, KB])),
        _ => {}
    }
    let lower = word.to_lowercase();
    let word = lower.as_str();
    time::seconds(word).map(Unit::Seconds).or_else(|| measure(word)).or_else(|| {
        Some(match word {
            "percent" | "pct" | "percentage" | "pp" | "prozent" | "procent" | "procenta"
            | "процентов" | "процента" | "процент" => Unit::Percent,
            "degrees" | "degree" | "deg" | "grad" | "degrés" | "degré" | "grados" | "gradi"
            | "graus" | "graden" | "grader" | "stopni" | "stopnie" | "stopniach" | "derece"
            | "derecede" | "derecedir" | "градусов" | "градусах" | "градуса" | "градус" => {
                Unit::Degrees
            }
            "celsius" => Unit::Celsius,
            "fahrenheit" => Unit::Fahrenheit,
            "x" | "times" => Unit::Times,
            "st" | "nd" | "rd" | "th" | "er" | "re" | "ème" | "º" | "ª" => Unit::Ordinal,
            "usd" | "inr" | "eur" | "gbp" | "jpy" | "dollars" | "dollar" | "rupees" | "rupee"
            | "euros" | "euro" | "pounds" | "yen" | "cents" | "rs" | "rupien" | "roupies"
            | "rupias" | "rupie" | "rúpias" | "roepies" | "roepie" | "rupier" | "rupii"
            | "rupi" | "рупий" | "рупии" | "рублей" | "zł" => Unit::Currency,
            _ => return None,
        })
    })
}

fn measure(word: &str) -> Option<Unit> {
    if matches!(word, "meters" | "metres" | "meter" | "metre") {
        return Some(METRES);
    }
    Some(Unit::Measure(match word {
        "kb" | "kib" => &[1e3, KB],
        "mib" => &[1e6, KB * KB, 1e3, KB],
        "gb" | "gib" => &[1e9, KB * KB * KB, 1e6, KB * KB, 1e3, KB],
        "tb" | "tib" => &[1e12, KB * KB * KB * KB, 1e9, 1e6, 1e3, KB],
        "km" | "kilometers" | "kilometres" => &[1e3, 0.621_371],
        "mi" | "mile" | "miles" => &[1.609_344, 1_609.344],
        "mph" => &[1.609_344, 0.447_04, 0.868_976],
        "kmh" | "kph" | "km/h" => &[0.621_371, 0.277_778, 0.539_957],
        "m/s" => &[3.6, 2.236_936, 1.943_844],
        "knots" | "kt" | "kts" => &[1.852, 1.150_779, 0.514_444],
        "ft" | "feet" | "foot" => &[0.304_8],
        "cm" => &[0.01, 0.393_701, 10.0],
        "mm" => &[0.1, 0.039_370_1, 0.001],
        "inch" | "inches" => &[2.54, 25.4],
        "kg" | "kilograms" => &[1e3, 2.204_623],
        "g" | "grams" => &[0.001, 0.035_274],
        "lb" | "lbs" => &[0.453_592, 16.0],
        "oz" => &[28.349_5, 0.0625],
        "hpa" | "mbar" => &[0.029_53],
        "inhg" => &[33.863_9],
        "bps" | "bp" => &[0.01, 0.0001],
        "ml" | "liters" | "litres" => &[0.001, 1e3],
        "p" | "fps" | "hz" | "khz" | "mhz" | "ghz" | "px" | "mp" | "kwh" | "kw" | "w" | "mb"
        | "mbps" | "gbps" | "db" | "v" | "mah" => &[],
        _ => return None,
    }))
}

impl Tail {
    /// Whether nothing follows that belongs to the number.
    pub(super) fn is_empty(&self) -> bool {
        self.scales == ONE && self.unit == Unit::Bare
    }
}

impl Unit {
    /// The factors by which a source in another unit may differ from the figure.
    pub(super) fn factors(self) -> Vec<f64> {
        match self {
            Self::Seconds(each) => {
                vec![each, each * 1e3, each / 60.0, each / 3_600.0, each / 86_400.0]
            }
            Self::Measure(factors) => factors.to_vec(),
            // A source that keeps a share as a fraction.
            Self::Percent => vec![0.01],
            // A source that keeps an amount in cents.
            Self::Currency => vec![100.0],
            _ => Vec::new(),
        }
    }
}
