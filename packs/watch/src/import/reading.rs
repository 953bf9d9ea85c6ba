//! Reading one file, whatever it is.

use std::io::{BufRead, BufReader, Read};

use super::{
    html::{self, Cells},
    intake::Intake,
    json::{self, Array, Damage, filled},
};
use crate::WatchError;

const BUFFER: usize = 64 << 10;
const BOM: &[u8] = b"\xef\xbb\xbf";
/// If none of the first entries is one, neither are the others.
const TRIED: u64 = 20;

/// Reads a file, if it is a history: a JSON array of entries, or a page of them.
pub(super) fn read(name: &str, file: impl Read, intake: &mut Intake<'_>) -> Result<(), WatchError> {
    let mut reader = BufReader::with_capacity(BUFFER, file);
    intake.begin(name);
    match begin(&mut reader) {
        Ok((Some(b'['), skipped)) => array(reader, skipped, intake)?,
        Ok((Some(b'<'), skipped)) => page(reader, skipped, intake)?,
        Ok(_) => return Ok(()),
        Err(damage) => {
            intake.unreadable(name, &damage.reason);
            return Ok(());
        }
    }
    intake.end()
}

/// The first byte that says something, and how many were skipped to get there.
fn begin(reader: &mut impl BufRead) -> Result<(Option<u8>, u64), Damage> {
    let mut skipped = 0;
    let chunk = filled(reader, 0)?;
    if chunk.starts_with(BOM) {
        reader.consume(BOM.len());
        skipped = BOM.len() as u64;
    }
    let chunk = filled(reader, skipped)?;
    let blanks = chunk.iter().take_while(|it| it.is_ascii_whitespace()).count();
    Ok((chunk.get(blanks).copied(), skipped))
}

fn array(reader: impl BufRead, skipped: u64, intake: &mut Intake<'_>) -> Result<(), WatchError> {
    let mut array = Array::new(reader);
    let (mut tried, mut is_ours) = (0, false);
    loop {
        let element = match array.next() {
            Ok(Some(element)) => element,
            Ok(None) => return Ok(()),
            Err(damage) => {
                // A damaged file of something else is none of our business.
                if is_ours || tried == 0 {
                    intake.damaged(skipped + damage.offset, &damage.reason);
                }
                return Ok(());
            }
        };
        let entry = match element.bytes {
            Some(bytes) => json::entry(bytes),
            None => Err(String::from("it is too long")),
        };
        is_ours |= entry.is_ok();
        tried += 1;
        if !is_ours && tried == TRIED {
            return Ok(());
        }
        intake.take(skipped + element.offset, entry)?;
    }
}

fn page(reader: impl BufRead, skipped: u64, intake: &mut Intake<'_>) -> Result<(), WatchError> {
    let mut cells = Cells::new(reader);
    loop {
        let cell = match cells.next() {
            Ok(Some(cell)) => cell,
            Ok(None) => return Ok(()),
            Err(damage) => {
                intake.damaged(skipped + damage.offset, &damage.reason);
                return Ok(());
            }
        };
        let entry = match cell.bytes {
            Some(bytes) => html::entry(bytes, &mut intake.languages),
            None => Err(String::from("it is too long")),
        };
        intake.take(skipped + cell.offset, entry)?;
    }
}
