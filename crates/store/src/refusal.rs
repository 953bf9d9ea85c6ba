//! [`Refusal`]: why a database that is somewhere does nothing for us, and what to do about it.

use toolwright_core::Fault;

/// Why a database does nothing for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Nobody answers at the address.
    Unreached,
    /// It does not know the role, or does not let it in.
    Login,
    /// It wants a password, and was given none.
    Password,
    /// There is no such database.
    Absent,
    /// The role may not do that.
    Rights,
    /// It takes no changes.
    ReadOnly,
    /// It has no connection left.
    Crowded,
    /// Its tables are not those that its format has.
    OtherTables,
}

impl Refusal {
    /// By the code of an error of PostgreSQL's; none where that says nothing about it.
    #[cfg(feature = "postgres")]
    pub(crate) fn of_code(code: &str) -> Option<Self> {
        Some(match code {
            "28000" | "28P01" => Self::Login,
            "3D000" => Self::Absent,
            "42501" => Self::Rights,
            "25006" => Self::ReadOnly,
            "53300" => Self::Crowded,
            // A table, a column or a thing by that name is there and should not be, or the other way round.
            "42P01" | "42P07" | "42701" | "42703" | "42704" | "42710" => Self::OtherTables,
            _ => return None,
        })
    }

    pub(crate) fn advice(self) -> &'static str {
        match self {
            Self::Unreached => {
                "check the host and the port of the address, and that the database server runs there and lets this \
                 machine in"
            }
            Self::Login => {
                "correct the role and its password in the address, or have whoever looks after the server make the role \
                 (CREATE ROLE … LOGIN) and let it in (pg_hba.conf)"
            }
            Self::Password => {
                "write it into the address (postgres://ROLE:PASSWORD@HOST/DATABASE, or PGPASSFILE), or have whoever looks after \
                 the server let the role in from here without one (pg_hba.conf)"
            }
            Self::Absent => {
                "correct the database's name in the address, or make it: CREATE DATABASE"
            }
            Self::Rights => {
                "have whoever looks after the database give the role its rights: GRANT CREATE ON DATABASE … for a fresh \
                 one, and all on the schema `toolwright` with its tables and sequences otherwise; best of all, let \
                 the role own the schema"
            }
            Self::ReadOnly => {
                "name the primary in the address (several hosts with target_session_attrs=read-write find it), or turn \
                 default_transaction_read_only off"
            }
            Self::Crowded => {
                "raise max_connections of the server, or let fewer processes use it: each wants up to 8"
            }
            Self::OtherTables => {
                "restore the database from a backup, with the format that belongs to its tables; nothing was changed"
            }
        }
    }

    /// What passes by itself is no fault of what was set.
    pub(crate) fn fault(self) -> Fault {
        match self {
            Self::Unreached | Self::ReadOnly | Self::Crowded => Fault::Failure,
            Self::Login | Self::Password | Self::Absent | Self::Rights | Self::OtherTables => {
                Fault::NotConfigured
            }
        }
    }
}
