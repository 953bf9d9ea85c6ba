//! [`Family`]: what the name of a model tells of what it takes.

/// What the name of a model tells: `gemini-2.5-pro` is of version 2.5.
#[derive(Clone, Copy)]
pub(super) struct Family<'a> {
    name: &'a str,
    version: (u32, u32),
}

impl<'a> Family<'a> {
    pub(super) fn of(model: &'a str) -> Self {
        let name = model.rsplit('/').next().unwrap_or(model);
        Self { name, version: version_of(name).unwrap_or((u32::MAX, 0)) }
    }

    /// Whether it thinks unless it is told not to.
    pub(super) fn thinks(self) -> bool {
        // Before the third, those that draw or speak do not.
        let draws = ["image", "tts", "audio", "live"].iter().any(|it| self.name.contains(it));
        self.may_think() && self.name.starts_with("gemini-") && (self.is_third() || !draws)
    }

    /// Whether it is known by its name that it cannot think.
    pub(super) fn may_think(self) -> bool {
        self.version >= (2, 5)
    }

    /// Whether it is of the third generation or later, as one is taken to be of which nothing is known: it
    /// wants its calls signed, and takes a form beside tools, files in results and levels of thought.
    pub(super) fn is_third(self) -> bool {
        self.version >= (3, 0)
    }

    /// Whether it is one of the small ones, which can nearly be kept from thinking.
    pub(super) fn is_flash(self) -> bool {
        self.name.contains("flash")
    }

    pub(super) fn is_pro(self) -> bool {
        self.name.contains("pro")
    }
}

/// The version in a name; none in one that means whichever is the newest.
fn version_of(name: &str) -> Option<(u32, u32)> {
    let rest = name.strip_prefix("gemini-")?;
    let number = rest.split('-').next().unwrap_or(rest);
    let (major, minor) = number.split_once('.').unwrap_or((number, "0"));
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::Family;

    #[test]
    fn names_tell_versions() {
        for (name, thinks, is_third) in [
            ("gemini-1.5-pro", false, false),
            ("gemini-2.0-flash", false, false),
            ("gemini-2.5-flash-lite", true, false),
            ("models/gemini-2.5-pro", true, false),
            ("gemini-2.5-flash-image", false, false),
            ("gemini-3-pro-image", true, true),
            ("gemini-3.1-pro-preview", true, true),
            ("gemini-4-argon", true, true),
            ("gemini-flash-latest", true, true),
            ("another", false, true),
        ] {
            let family = Family::of(name);
            assert_eq!((family.thinks(), family.is_third()), (thinks, is_third), "{name}");
        }
    }
}
