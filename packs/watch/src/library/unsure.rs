//! [`Subject`]: times that hang on what the zone of their file was taken for.
//!
//! Such a time and an exact one of the same video are the same watch, where the zone's name allows it: the exact one
//! counts, whichever came first. So a page and a file of the same history are one, whatever the page's zone was
//! taken for, and a page that is imported again in another zone moves its times.

use jiff::Timestamp;

use super::{Library, writing::Writing};
use crate::{
    WatchError,
    import::{Local, may_be},
    video::moment,
};

/// No zone is further from Greenwich, in milliseconds.
const FURTHEST: i64 = 14 * 60 * 60 * 1000;

/// What was watched at a time.
#[derive(Clone, Copy)]
pub(super) enum Subject<'a> {
    /// A video, by its id.
    Video(&'a str),
    /// Something that is gone, by its kind.
    Gone(&'a str),
}

impl Subject<'_> {
    fn key(&self) -> &str {
        let (Self::Video(key) | Self::Gone(key)) = self;
        key
    }

    /// Times near to one that are no unsure ones.
    fn sure(&self) -> &'static str {
        match self {
            Self::Video(_) => {
                "SELECT at FROM watches JOIN videos ON videos.row = video WHERE id = ?1 \
                 AND at BETWEEN ?2 AND ?3 \
                 AND NOT EXISTS (SELECT 1 FROM unsure WHERE subject = ?1 AND unsure.at = watches.at)"
            }
            Self::Gone(_) => {
                "SELECT at FROM gone WHERE kind = ?1 AND at BETWEEN ?2 AND ?3 \
                 AND NOT EXISTS (SELECT 1 FROM unsure WHERE subject = ?1 AND unsure.at = gone.at)"
            }
        }
    }
}

/// An unsure time, as the table has it.
struct Unsure {
    at: i64,
    local: i64,
    zone: String,
}

impl Library {
    /// The exact times of a video that a local time may be.
    pub(crate) fn sure_times(&self, id: &str, local: &Local) -> Result<Vec<Timestamp>, WatchError> {
        let times = sure(&self.database(), Subject::Video(id), local)?;
        Ok(times.into_iter().map(moment).collect())
    }
}

fn sure(
    database: &rusqlite::Connection,
    subject: Subject<'_>,
    local: &Local,
) -> Result<Vec<i64>, WatchError> {
    let mut find = database.prepare_cached(subject.sure())?;
    let told = local.millis();
    let near = (subject.key(), told - FURTHEST, told + FURTHEST);
    let times = find.query_map(near, |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    Ok(times.into_iter().filter(|at| may_be(&local.zone, (told - at) / 1000)).collect())
}

impl Writing<'_> {
    /// When something was, now that it is told again: an exact time moves the unsure one that it may be, and an
    /// unsure one is the exact one that it may be.
    pub(super) fn settled(
        &mut self,
        subject: Subject<'_>,
        at: i64,
        local: Option<&Local>,
    ) -> Result<i64, WatchError> {
        if let Some(local) = local {
            let known = sure(self.database(), subject, local)?;
            // The nearest: of several, one is as far off as the zone was taken wrong.
            if let Some(known) = known.into_iter().min_by_key(|it| it.abs_diff(at)) {
                return Ok(known);
            }
        }
        if !self.has_unsure()? {
            return Ok(at);
        }
        let unsure = self.unsure(subject)?;
        let is_same = |it: &&Unsure| match local {
            Some(local) => it.local == local.millis() && it.zone == local.zone,
            None => it.at == at || may_be(&it.zone, (it.local - at) / 1000),
        };
        let same = unsure.iter().filter(is_same).min_by_key(|it| it.at.abs_diff(at));
        let Some(same) = same else { return Ok(at) };
        self.forget_unsure(subject, same.at)?;
        if same.at != at {
            self.move_time(subject, same.at, at)?;
        }
        if local.is_some() {
            self.note_unsure(subject, at, local)?;
        }
        Ok(at)
    }

    /// Notes that a time hangs on the zone that was chosen.
    pub(super) fn note_unsure(
        &mut self,
        subject: Subject<'_>,
        at: i64,
        local: Option<&Local>,
    ) -> Result<(), WatchError> {
        let Some(local) = local else { return Ok(()) };
        self.has_unsure = Some(true);
        let sql =
            "INSERT OR REPLACE INTO unsure (subject, at, local, zone) VALUES (?1, ?2, ?3, ?4)";
        let values = (subject.key(), at, local.millis(), &local.zone);
        self.database().prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    fn has_unsure(&mut self) -> Result<bool, WatchError> {
        if let Some(has) = self.has_unsure {
            return Ok(has);
        }
        let asked = "SELECT EXISTS (SELECT 1 FROM unsure)";
        let has = self.database().query_row(asked, [], |row| row.get(0))?;
        self.has_unsure = Some(has);
        Ok(has)
    }

    fn unsure(&self, subject: Subject<'_>) -> Result<Vec<Unsure>, WatchError> {
        let sql = "SELECT at, local, zone FROM unsure WHERE subject = ?1";
        let mut find = self.database().prepare_cached(sql)?;
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Unsure { at: row.get(0)?, local: row.get(1)?, zone: row.get(2)? })
        };
        Ok(find.query_map([subject.key()], read)?.collect::<Result<_, _>>()?)
    }

    fn forget_unsure(&self, subject: Subject<'_>, at: i64) -> Result<(), WatchError> {
        let sql = "DELETE FROM unsure WHERE subject = ?1 AND at = ?2";
        self.database().prepare_cached(sql)?.execute((subject.key(), at))?;
        Ok(())
    }

    /// Moves a time, and what was told at it.
    fn move_time(&self, subject: Subject<'_>, from: i64, to: i64) -> Result<(), WatchError> {
        let of_video = [
            "INSERT OR IGNORE INTO watches (video, at) SELECT row, ?3 FROM videos WHERE id = ?1 AND ?2 <> ?3",
            "DELETE FROM watches WHERE video = (SELECT row FROM videos WHERE id = ?1) AND at = ?2 AND ?2 <> ?3",
            "UPDATE channels SET name_at = ?3 WHERE name_at = ?2 \
             AND row = (SELECT channel FROM videos WHERE id = ?1)",
            "UPDATE videos SET title_at = CASE title_at WHEN ?2 THEN ?3 ELSE title_at END, \
             channel_at = CASE channel_at WHEN ?2 THEN ?3 ELSE channel_at END, \
             watches = (SELECT count(*) FROM watches WHERE video = row), \
             last = (SELECT max(at) FROM watches WHERE video = row) WHERE id = ?1",
        ];
        let of_gone = [
            "INSERT OR IGNORE INTO gone (kind, at) SELECT ?1, ?3 WHERE ?2 <> ?3",
            "DELETE FROM gone WHERE kind = ?1 AND at = ?2 AND ?2 <> ?3",
        ];
        let steps: &[&str] = match subject {
            Subject::Video(_) => &of_video,
            Subject::Gone(_) => &of_gone,
        };
        for sql in steps {
            self.database().prepare_cached(sql)?.execute((subject.key(), from, to))?;
        }
        Ok(())
    }
}
