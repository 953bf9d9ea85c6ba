//! Whether the [`Sources`] support what an answer mentions.

use super::{
    arithmetic::Worked,
    counted::Counted,
    figure::{Figure, Reading, Sign},
    lexicon::spelling,
    links::address,
    moment::Clock,
    numbers::Numbers,
    scan::{Mention, What},
    setting::Setting,
    sources::Sources,
    unit::Unit,
};

/// The minute of the day that `15.30` is, where a point parts hours from minutes.
fn dotted(text: &str) -> Option<u32> {
    let (hours, minutes) = text.split_once('.')?;
    let (hours, minutes) =
        (hours.parse().ok()?, (minutes.len() == 2).then(|| minutes.parse().ok())??);
    let clock = Clock { first: hours, second: minutes, third: None, half: None };
    clock.minute()
}

impl Sources {
    /// Whether nothing is stated by a mention that a source could support.
    pub(super) fn says_nothing(
        &self,
        mention: &Mention<'_>,
        setting: &Setting,
        counted: Counted,
    ) -> bool {
        setting.offers()
            || match &mention.what {
                What::Described(_) => true,
                What::Spelled(_) => counted == Counted::Idle,
                What::Figure(figure) => {
                    (figure.is_small_count() && counted == Counted::Idle)
                        || figure.unit == Unit::Ordinal
                        || setting.is_idle(figure, &self.calendar)
                }
                What::Moment(_) | What::Id => false,
            }
    }

    /// Whether a mention is supported, seen in its setting, as far as the index tells. Figures that
    /// are worked out and ids inside a longer word are looked for apart, as that takes longer.
    pub(super) fn supports(&self, mention: &Mention<'_>, setting: &Setting) -> bool {
        match &mention.what {
            What::Described(_) => true,
            What::Figure(figure) | What::Spelled(figure) => {
                self.states(figure, setting)
                    || self.counts(figure)
                    || dotted(mention.text).is_some_and(|it| self.calendar.has_minute(it))
            }
            What::Moment(moment) => {
                let clock = moment.clock.filter(|_| moment.dates.is_empty());
                self.calendar.supports(moment, setting.shifts())
                    || clock.is_some_and(|it| self.has_clock(it))
            }
            What::Id => self.has_id(mention.text),
        }
    }

    /// Whether what is written like a time is a length, or a score, that the sources know.
    fn has_clock(&self, clock: Clock) -> bool {
        let has = |value: u32| {
            let value = f64::from(value);
            self.numbers.within(value, value, Sign::Open)
        };
        clock.lengths().into_iter().any(|it| self.has_length(it, 1.0))
            || (clock.minute().is_none() && has(clock.first) && has(clock.second))
    }

    /// Whether a source says the figure itself, exactly or more exactly than the answer.
    pub(super) fn states(&self, figure: &Figure, setting: &Setting) -> bool {
        figure.year().is_some_and(|year| self.calendar.has_year(year))
            || figure.readings.iter().any(|it| self.says(figure, *it, setting))
            || self.says_parts(figure)
            || setting.phrase().is_some_and(|words| words.iter().all(|it| self.lexicon.has(it)))
    }

    /// Whether it is how many items a result has.
    fn counts(&self, figure: &Figure) -> bool {
        let has = |it: &Reading| self.counts.within(it.value, it.value, figure.sign);
        figure.unit == Unit::Bare && figure.readings.iter().any(has)
    }

    fn says(&self, figure: &Figure, reading: Reading, setting: &Setting) -> bool {
        let Reading { value, .. } = reading;
        let tolerance = setting.tolerance(reading);
        let within = |numbers: &Numbers, value: f64, tolerance: f64| {
            // What a float loses in print must not count.
            let tolerance = tolerance + value.abs() * 1e-9;
            numbers.within(value - tolerance, value + tolerance, figure.sign)
        };
        let other = |value, tolerance| within(&self.convertible, value, tolerance);
        let converted = |by: f64| match figure.unit {
            // Cents are whole, however an amount in dollars is rounded.
            Unit::Currency => other(value * by, 0.0),
            _ => other(value * by, tolerance * by),
        };
        within(&self.numbers, value, tolerance)
            || figure.unit.factors().into_iter().any(converted)
            || match figure.unit {
                Unit::Celsius => other(value * 1.8 + 32.0, tolerance * 1.8),
                Unit::Fahrenheit => other((value - 32.0) / 1.8, tolerance / 1.8),
                // Whoever names no scale means their own.
                Unit::Degrees => {
                    other(value * 1.8 + 32.0, tolerance * 1.8)
                        || other((value - 32.0) / 1.8, tolerance / 1.8)
                }
                Unit::Seconds(each) => {
                    self.has_length(value * each, tolerance * each)
                        || self.calendar.spans(value * each)
                }
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

    /// Whether a source says the figure, but with the other sign only.
    pub(super) fn contradicts(&self, figure: &Figure, setting: &Setting) -> bool {
        let unsigned = Figure { sign: Sign::Open, ..figure.clone() };
        figure.sign != Sign::Open
            && self.states(&unsigned, setting)
            && !self.states(figure, setting)
    }

    /// Whether people expect the figure to be worked out from what a result says.
    pub(super) fn works_out(&self, figure: &Figure, setting: &Setting) -> bool {
        if self.contradicts(figure, setting) {
            return false;
        }
        let wanted = |worked: &Worked| worked.is(figure, setting);
        let results = || self.operands.iter().map(|(_, operands)| operands);
        results().any(|it| it.yields(&wanted) || it.yields_with(&self.asked, &wanted))
            || self.typed.yields(&wanted)
            || self.typed.yields_with(&self.asked, &wanted)
            || self.compared.iter().any(|it| it.yields_across(&wanted))
    }

    fn has_id(&self, id: &str) -> bool {
        if let Some(address) = address(id) {
            return self.lexicon.has(&address) || self.puts_together(&address);
        }
        let id = spelling(id);
        // A version may go by either name.
        let other = id.strip_prefix('v').map_or_else(|| format!("v{id}"), str::to_owned);
        let is_version = other.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
        if is_version && self.lexicon.has(&other) {
            return true;
        }
        let digits = id.find(|c: char| c.is_ascii_digit()).unwrap_or(id.len());
        let (word, number) = id.split_at_checked(digits).unwrap_or_default();
        let word = word.trim_end_matches(['-', '_']);
        let apart = number.parse::<u32>().is_ok_and(|number| {
            let number = f64::from(number);
            let told = self.vocabulary.is_numbered(word, number)
                || self.numbers.within(number, number, Sign::Open);
            // `FTSE100` for `FTSE 100`, `BA249` for `BA 249`; `W20` for 20 wins.
            match word.len() {
                0 => false,
                1 => told || number <= 12.0,
                _ => told && self.lexicon.has(word),
            }
        });
        apart || self.lexicon.has(&id)
    }
}
