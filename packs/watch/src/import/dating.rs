//! [`Dating`]: which zone the times of a file are in.
//!
//! An HTML export tells its times in one zone, by short names: `PDT` in summer and `PST` in winter. A zone that fits
//! every date of the file is meant. Where several do, and they disagree, what was imported before tells which it is,
//! then the zone that was set, that of the machine, and the language of the file. Where none of them does, the commonest
//! is taken, and that is told.

use std::collections::{HashMap, HashSet};

use jiff::{
    Timestamp,
    civil::DateTime,
    tz::{AmbiguousOffset, Offset, TimeZone},
};

use super::zone::{NamedOffset, ZoneNames, is_known, is_rare};

/// A time of day in a zone that is only named, or not told at all: then the name is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    pub(crate) at: DateTime,
    pub(crate) zone: String,
}

/// When something was watched, as far as an export says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Exact(Timestamp),
    Local(Local),
}

/// What zones there are beside those of the file.
#[derive(Clone, Debug)]
pub(super) struct Hints {
    /// The one that was set.
    pub(super) configured: Option<TimeZone>,
    pub(super) machine: TimeZone,
}

/// A local time whose moments are known to be among those of another import.
pub(super) struct Overlap {
    pub(super) local: Local,
    /// Moments at which the same was watched.
    pub(super) known: Vec<Timestamp>,
}

/// Which zone the times of a file are in.
pub(super) struct Dating {
    hints: Hints,
    /// The zones that every date so far fits; none where no name was seen.
    fitting: Option<Vec<&'static str>>,
    /// Names that were looked at, by month.
    seen: HashSet<(String, i16, i8)>,
    zones: HashMap<&'static str, Option<TimeZone>>,
    chosen: Option<Choice>,
}

/// The zone that was chosen where the file has several.
struct Choice {
    zone: TimeZone,
    /// Whether another import told it, so that nothing is open.
    is_proven: bool,
}

/// A moment, and whether it hangs on a choice of the zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dated {
    pub(super) at: Timestamp,
    pub(super) is_open: bool,
}

impl Dating {
    pub(super) fn new(hints: Hints) -> Self {
        let (seen, zones) = (HashSet::new(), HashMap::new());
        Self { hints, fitting: None, seen, zones, chosen: None }
    }

    /// The moment of a local time; none where that needs [`Dating::choose`] first.
    pub(super) fn date(&mut self, local: &Local) -> Option<Dated> {
        let named = ZoneNames::get().find(&local.zone);
        self.narrow(local, named);
        let offsets = self.offsets(local, named);
        if let [minutes] = offsets[..] {
            return Some(Dated { at: local.moment(minutes)?, is_open: false });
        }
        let choice = self.chosen.as_ref()?;
        let here = minutes_in(&choice.zone, local.at);
        let meant = here.iter().find(|it| offsets.is_empty() || offsets.contains(it));
        let minutes = meant.or(offsets.first())?;
        let is_open = !choice.is_proven || meant.is_none() || offsets.is_empty();
        Some(Dated { at: local.moment(*minutes)?, is_open })
    }

    /// Leaves the zones that this date fits, too.
    fn narrow(&mut self, local: &Local, named: &'static [NamedOffset]) {
        let key = (local.zone.clone(), local.at.year(), local.at.month());
        if named.is_empty() || !self.seen.insert(key) {
            return;
        }
        let fits = self.fits(local, named);
        let fitting: Vec<_> = match &self.fitting {
            Some(before) => before.iter().copied().filter(|it| fits.contains(it)).collect(),
            None => fits,
        };
        // A file of several zones: then each date is by itself.
        self.fitting = Some(fitting);
    }

    /// The zones in which a time has the name it is told with.
    fn fits(&mut self, local: &Local, named: &'static [NamedOffset]) -> Vec<&'static str> {
        let mut fits = Vec::new();
        for NamedOffset { minutes, zones, .. } in named {
            for zone in zones {
                let known = self.zones.entry(zone).or_insert_with(|| TimeZone::get(zone).ok());
                // Where the machine has no rules of zones, the name alone counts.
                let is = |it: &TimeZone| minutes_in(it, local.at).contains(minutes);
                if known.as_ref().is_none_or(is) {
                    fits.push(*zone);
                }
            }
        }
        fits
    }

    /// What a time may be, in minutes east of Greenwich, the commonest first. None where the name is not known.
    fn offsets(&mut self, local: &Local, named: &'static [NamedOffset]) -> Vec<i32> {
        if let [only] = named {
            return vec![only.minutes];
        }
        let fits = self.fits(local, named);
        let of_file = self.fitting.iter().flatten().copied().collect::<Vec<_>>();
        let both: Vec<_> = fits.iter().copied().filter(|it| of_file.contains(it)).collect();
        let zones = [both, fits].into_iter().find(|it| !it.is_empty());
        let is_meant = |it: &&NamedOffset| {
            zones.as_ref().is_none_or(|zones| it.has_one_of(zones, self, local))
        };
        named.iter().filter(is_meant).map(|it| it.minutes).collect()
    }

    fn is_in(&self, zone: &str, minutes: i32, at: DateTime) -> bool {
        let known = self.zones.get(zone).and_then(Option::as_ref);
        known.is_none_or(|it| minutes_in(it, at).contains(&minutes))
    }

    /// Chooses a zone for times that may be of several, and says what is unclear about it.
    pub(super) fn choose(
        &mut self,
        open: &[Local],
        overlaps: &[Overlap],
        languages: &[&str],
    ) -> Option<String> {
        let first = open.first()?;
        let proven = self.proven(first, overlaps);
        if let Some(zone) = proven {
            self.chosen = Some(Choice { zone, is_proven: true });
            return None;
        }
        let configured = self.hints.configured.clone().filter(|it| self.may_mean(it, open));
        if let Some(zone) = configured {
            self.chosen = Some(Choice { zone, is_proven: false });
            return None;
        }
        let machine = self.hints.machine.clone();
        let is_machines = first.zone.is_empty() || !ZoneNames::get().find(&first.zone).is_empty();
        if is_machines && !is_utc(&machine) && self.may_mean(&machine, open) {
            self.chosen = Some(Choice { zone: machine, is_proven: false });
            return None;
        }
        let named = ZoneNames::get().find(&first.zone);
        if named.is_empty() {
            let told = unknown(first, open.len(), &machine);
            self.chosen = Some(Choice { zone: machine, is_proven: false });
            return Some(told);
        }
        self.by_language(first, named, open.len(), languages)
    }

    /// The zone that the times of another import tell.
    fn proven(&mut self, first: &Local, overlaps: &[Overlap]) -> Option<TimeZone> {
        if overlaps.is_empty() {
            return None;
        }
        let mut zones = Vec::new();
        if ZoneNames::get().find(&first.zone).is_empty() {
            // Many zones have these times, and those at hand are the likelier ones.
            zones.extend(self.hints.configured.clone());
            zones.push(self.hints.machine.clone());
        }
        let names = match &self.fitting {
            Some(zones) if !zones.is_empty() => zones.clone(),
            _ => ZoneNames::get().zones(),
        };
        for name in names {
            let known = self.zones.entry(name).or_insert_with(|| TimeZone::get(name).ok());
            zones.extend(known.clone());
        }
        let mut best: Option<(usize, TimeZone)> = None;
        for zone in zones {
            let met = overlaps.iter().filter(|it| it.is_met_in(&zone)).count();
            if met > best.as_ref().map_or(0, |it| it.0) {
                best = Some((met, zone));
            }
        }
        best.map(|it| it.1)
    }

    /// Whether all these times may be of this zone.
    fn may_mean(&mut self, zone: &TimeZone, open: &[Local]) -> bool {
        open.iter().all(|local| {
            let offsets = self.offsets(local, ZoneNames::get().find(&local.zone));
            offsets.is_empty() || minutes_in(zone, local.at).iter().any(|it| offsets.contains(it))
        })
    }

    /// The zone where the file's language is spoken; else the commonest, which is told.
    fn by_language(
        &mut self,
        first: &Local,
        named: &'static [NamedOffset],
        count: usize,
        languages: &[&str],
    ) -> Option<String> {
        let offsets = self.offsets(first, named);
        let fitting = self.fitting.clone().unwrap_or_default();
        let meant = |it: &&NamedOffset| offsets.contains(&it.minutes);
        let place = |it: &'static NamedOffset| {
            let fits = |zone: &&&str| fitting.contains(*zone) && !is_rare(zone);
            let known = it.zones.iter().find(|zone| fits(zone) && is_known(zone));
            let usual = known.or_else(|| it.zones.iter().find(fits));
            Some((it, *usual.or_else(|| it.zones.iter().find(|zone| !is_rare(zone)))?))
        };
        let usual: Vec<_> = named.iter().filter(meant).filter_map(place).collect();
        let is_spoken = |it: &&(&NamedOffset, &str)| {
            it.0.languages.iter().any(|language| languages.contains(language))
        };
        let spoken: Vec<_> = usual.iter().filter(is_spoken).collect();
        let chosen = spoken.first().copied().or(usual.first());
        let zone = chosen.map_or(named.first()?.zones.first()?, |it| &it.1);
        // English is read everywhere, and so it tells nothing for sure.
        let is_told = spoken.len() == 1 && !languages.contains(&"en");
        let zone_is = TimeZone::get(zone).ok();
        let minutes = chosen.map_or(0, |it| it.0.minutes);
        let fixed = || Offset::from_seconds(minutes * 60).map(TimeZone::fixed).ok();
        self.chosen = Some(Choice { zone: zone_is.or_else(fixed)?, is_proven: false });
        (!is_told && usual.len() > 1).then(|| unclear(first, count, &usual, zone))
    }
}

impl NamedOffset {
    /// Whether it is what one of these zones has at that time.
    fn has_one_of(&self, zones: &[&str], dating: &Dating, local: &Local) -> bool {
        let here = self.zones.iter().filter(|it| zones.contains(it));
        here.into_iter().any(|it| dating.is_in(it, self.minutes, local.at))
    }
}

impl Overlap {
    fn is_met_in(&self, zone: &TimeZone) -> bool {
        let here = minutes_in(zone, self.local.at);
        here.iter().filter_map(|it| self.local.moment(*it)).any(|at| self.known.contains(&at))
    }
}

impl Local {
    /// The time as if it were told in Greenwich, in milliseconds.
    pub(crate) fn millis(&self) -> i64 {
        self.moment(0).map_or(0, |it| it.as_second().saturating_mul(1000))
    }

    fn moment(&self, minutes: i32) -> Option<Timestamp> {
        Offset::from_seconds(minutes * 60).ok()?.to_timestamp(self.at).ok()
    }
}

/// Minutes east of Greenwich at a time of day in a zone: two, where clocks are put back.
fn minutes_in(zone: &TimeZone, at: DateTime) -> Vec<i32> {
    let minutes = |it: Offset| it.seconds().div_euclid(60);
    match zone.to_ambiguous_timestamp(at).offset() {
        AmbiguousOffset::Unambiguous { offset } => vec![minutes(offset)],
        AmbiguousOffset::Gap { before, after } | AmbiguousOffset::Fold { before, after } => {
            vec![minutes(before), minutes(after)]
        }
    }
}

/// Servers are set to it, wherever their people are.
fn is_utc(zone: &TimeZone) -> bool {
    match zone.iana_name() {
        Some(name) => {
            name.starts_with("Etc/") || matches!(name, "UTC" | "GMT" | "UCT" | "Universal" | "Zulu")
        }
        None => zone.to_fixed_offset().is_ok_and(|it| it == Offset::UTC) || zone.is_unknown(),
    }
}

const ADVICE: &str = "set time_zone (or --time-zone) to the export's zone and import it again";

fn unknown(first: &Local, count: usize, machine: &TimeZone) -> String {
    let zone = machine.iana_name().unwrap_or("UTC");
    let what = match first.zone.as_str() {
        "" => String::from("the times have no time zone"),
        name => format!("the time zone {name} is not known"),
    };
    format!("{what}. {count} were read as {zone}. If that is wrong, {ADVICE}")
}

fn unclear(
    first: &Local,
    count: usize,
    usual: &[(&NamedOffset, &'static str)],
    zone: &str,
) -> String {
    let all: Vec<_> = usual.iter().map(|it| it.1).collect();
    let all = crate::words::joined(&all.iter().map(ToString::to_string).collect::<Vec<_>>(), "or");
    let name = &first.zone;
    format!(
        "the time zone {name} may be {all}. {count} times were read as {zone}. If that is wrong, {ADVICE}"
    )
}

#[cfg(test)]
#[path = "dating_test.rs"]
mod tests;
