//! Whether the [`Sources`] support what an answer mentions.

use super::{
    arithmetic::Kind,
    figure::{Figure, Reading, Sign},
    moment::Clock,
    scan::{Mention, What},
    setting::{Setting, is_index},
    sources::{Sources, spelling},
    unit::Unit,
};

impl Sources {
    /// Whether a mention is supported, seen in its setting, as far as the index tells. Figures that
    /// are worked out and ids inside a longer word are looked for apart, as that takes longer.
    pub(super) fn supports(&self, mention: &Mention<'_>, setting: &Setting) -> bool {
        match &mention.what {
            What::Described(_) => true,
            What::Figure(figure) => {
                figure.is_small_count()
                    || figure.unit == Unit::Ordinal
                    || setting.is_idle(figure, &self.calendar)
                    || self.states(figure, setting)
            }
            What::Moment(moment) => {
                let lengths = moment.clock.filter(|_| moment.dates.is_empty());
                let lengths = lengths.map(Clock::lengths).unwrap_or_default();
                self.calendar.supports(moment)
                    || lengths.into_iter().any(|it| self.has_length(it, 1.0))
            }
            What::Id => self.has_id(mention.text),
        }
    }

    /// Whether a source says the figure itself, exactly or more exactly than the answer.
    pub(super) fn states(&self, figure: &Figure, setting: &Setting) -> bool {
        figure.year().is_some_and(|year| self.calendar.has_year(year))
            || figure.readings.iter().any(|it| self.says(figure, *it, setting))
            || self.says_parts(figure)
    }

    fn says(&self, figure: &Figure, reading: Reading, setting: &Setting) -> bool {
        let within = |value: f64, tolerance: f64| {
            // What a float loses in print must not count.
            let tolerance = tolerance + value.abs() * 1e-9;
            let (least, most) = (value - tolerance, value + tolerance);
            self.numbers.within(least, most, figure.sign)
        };
        let Reading { value, .. } = reading;
        let tolerance = setting.tolerance(reading);
        let converted = |by: f64| {
            if by == 100.0 { within(value * by, 0.0) } else { within(value * by, tolerance * by) }
        };
        within(value, tolerance)
            || figure.unit.factors().into_iter().any(converted)
            || match figure.unit {
                Unit::Celsius => within(value * 1.8 + 32.0, tolerance * 1.8),
                Unit::Fahrenheit => within((value - 32.0) / 1.8, tolerance / 1.8),
                Unit::Seconds(each) => self.has_length(value * each, tolerance * each),
                _ => false,
            }
    }

    /// Whether what spaces separate, or hours and minutes, stand in the sources one by one.
    fn says_parts(&self, figure: &Figure) -> bool {
        !figure.parts.is_empty()
            && figure.parts.iter().all(|it| self.numbers.within(*it, *it, figure.sign))
    }

    fn has_length(&self, seconds: f64, tolerance: f64) -> bool {
        let lengths = &self.calendar.lengths;
        let at = lengths.partition_point(|it| *it < seconds - tolerance);
        let near = |it: &f64| *it <= seconds + tolerance;
        lengths.get(at).is_some_and(near) || self.numbers.within(seconds, seconds, Sign::Open)
    }

    /// Whether people expect the figure to be worked out from what a result says. Not where a
    /// source says it itself, with the other sign.
    pub(super) fn works_out(&self, figure: &Figure, setting: &Setting) -> bool {
        let unsigned = Figure { sign: Sign::Open, ..figure.clone() };
        if figure.sign != Sign::Open && self.states(&unsigned, setting) {
            return false;
        }
        let wanted = |value: f64, kind: Kind| {
            let fits = match figure.unit {
                Unit::Percent => kind != Kind::Ratio,
                Unit::Times => kind == Kind::Ratio,
                _ => kind == Kind::Amount,
            };
            let near = |it: &Reading| {
                (value.abs() - it.value).abs() <= setting.tolerance(*it) + it.value * 1e-9
            };
            fits && figure.readings.iter().any(near)
        };
        let results = || self.operands.iter().map(|(_, operands)| operands);
        results().any(|it| it.yields(&wanted) || it.yields_with(&self.asked, &wanted))
            || self.compared.iter().any(|it| it.yields_across(&wanted))
    }

    fn has_id(&self, id: &str) -> bool {
        let id = spelling(id);
        // `NIFTY50` for `NIFTY 50`, `BA249` for `BA 249`.
        let digits = id.find(|c: char| c.is_ascii_digit()).unwrap_or(id.len());
        let apart = match (id.get(..digits), id.get(digits..).map(str::parse::<u32>)) {
            (Some(word), Some(Ok(number))) if !word.is_empty() => {
                let word = word.trim_end_matches(['-', '_']);
                let number = f64::from(number);
                let sized = is_index(word, number);
                self.tokens.contains(word)
                    && (sized || self.numbers.within(number, number, Sign::Open))
            }
            _ => false,
        };
        apart || self.tokens.contains(&id)
    }
}
