//! [`Pack`]: tools for one domain, with everything that belongs to them and nothing that does not.
//!
//! A pack says what it is ([`PackInfo`]: its name, its settings, its tasks), and opens into an
//! [`OpenPack`], which has the tools. Whoever runs it knows no pack by name: what the terminal, the server,
//! the config file, `doctor` and the review need of one is here.
//!
//! ```
//! use std::sync::Arc;
//! use toolwright_core::Tool;
//! use toolwright_pack::{OpenPack, Pack, PackError, PackInfo, PackSetup, SettingKey, TaskFile};
//!
//! struct Dice;
//!
//! const INFO: PackInfo = PackInfo::new("dice", "dice to roll")
//!     .settings(&[SettingKey::number("sides", "how many sides a die has").usual("6")])
//!     .tasks(&[TaskFile::new("games", "---\ndescription: games of chance\npacks: [dice]\n---\nYou roll dice.")]);
//!
//! impl Pack for Dice {
//!     fn info(&self) -> &PackInfo {
//!         &INFO
//!     }
//!
//!     fn open(&self, setup: &PackSetup<'_>) -> Result<Option<Arc<dyn OpenPack>>, PackError> {
//!         let sides: Option<i64> = setup.section.get("sides")?;
//!         Ok(Some(Arc::new(Table { sides: sides.unwrap_or(6) })))
//!     }
//! }
//!
//! struct Table {
//!     sides: i64,
//! }
//!
//! impl OpenPack for Table {
//!     fn tools(&self) -> Vec<Arc<dyn Tool>> {
//!         Vec::new() // what `#[toolset]` makes of an `impl` block
//!     }
//! }
//! # assert_eq!(Dice.info().name, "dice");
//! # assert_eq!(Table { sides: 6 }.sides, 6);
//! ```

mod check;
mod error;
mod info;
mod key;
mod open;
mod section;
mod services;
mod setting;

pub use self::{
    check::{Check, CheckState},
    error::PackError,
    info::{Credential, PackInfo, PackModel, TaskFile},
    key::{ProjectRule, SettingKey, SettingKind},
    open::{OpenPack, Pack, PackSetup},
    section::Section,
    services::Services,
    setting::{Secret, Setting, SettingSource, shown},
};
