//! [`written`] and [`read`]: what lets a program begin, and the variables that it alone is given.
//!
//! They go through a pipe. In arguments every user of the machine could read them, and in the
//! environment of bubblewrap they could steer it, outside of the walls that it builds.

use std::{
    ffi::OsString,
    io,
    os::{fd::BorrowedFd, unix::ffi::OsStringExt},
};

use crate::Variables;

/// The byte that lets the command begin.
const GO: u8 = b'g';

/// How many bytes names and values may have together.
const MOST: usize = 1 << 20;

/// What is sent to the program inside: how long the variables are, the variables, and that it may
/// begin.
pub(super) fn written(env: &[(String, String)]) -> io::Result<Vec<u8>> {
    let invalid = |told: String| io::Error::new(io::ErrorKind::InvalidInput, told);
    let mut block = Vec::new();
    for (name, value) in env {
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            // Its value is nobody's business.
            return Err(invalid(format!("the variable {name:?} cannot be given to a program")));
        }
        for text in [name, value] {
            block.extend_from_slice(text.as_bytes());
            block.push(0);
        }
    }
    let length = u32::try_from(block.len()).ok().filter(|_| block.len() <= MOST);
    let length = length.ok_or_else(|| {
        invalid(format!("the variables that it is given are longer than {} KiB", MOST >> 10))
    })?;
    Ok([length.to_le_bytes().as_slice(), block.as_slice(), [GO].as_slice()].concat())
}

/// Waits for the variables and that the command may begin. Where whoever should say so is gone, it may
/// not. What follows is the command's own: not a byte more is read.
pub(super) fn read(from: BorrowedFd<'_>) -> io::Result<Variables> {
    let mut length = [0; 4];
    exactly(from, &mut length)?;
    let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
    if length > MOST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut block = vec![0; length];
    exactly(from, &mut block)?;
    let mut go = [0];
    exactly(from, &mut go)?;
    if go != [GO] {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut texts = block.split(|byte| *byte == 0);
    let mut variables = Variables::new();
    while let (Some(name), Some(value)) = (texts.next(), texts.next()) {
        let name = String::from_utf8(name.to_vec());
        let name = name.map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        variables.push((name, OsString::from_vec(value.to_vec())));
    }
    Ok(variables)
}

fn exactly(from: BorrowedFd<'_>, mut into: &mut [u8]) -> io::Result<()> {
    while !into.is_empty() {
        let read = rustix::io::retry_on_intr(|| rustix::io::read(from, &mut *into))?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        into = into.get_mut(read..).unwrap_or_default();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{io::Write, os::fd::AsFd};

    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_follows_is_left() {
        let (reader, mut writer) = io::pipe().unwrap();
        let env = [("A".to_owned(), String::new()), ("B".to_owned(), "x=\n".to_owned())];
        writer.write_all(&written(&env).unwrap()).unwrap();
        writer.write_all(b"own").unwrap();
        drop(writer);
        let got = read(reader.as_fd()).unwrap();
        assert_eq!(got, [("A".to_owned(), OsString::new()), ("B".to_owned(), "x=\n".into())]);
        assert_eq!(io::read_to_string(reader).unwrap(), "own");
    }

    #[test]
    fn what_cannot_be_given_is_told_without_its_value() {
        for (name, value) in [("A=B", "canary"), ("A", "can\0ary"), ("", "canary")] {
            let error = written(&[(name.to_owned(), value.to_owned())]).unwrap_err().to_string();
            assert!(error.contains("cannot be given") && !error.contains("can\0"), "{error}");
            assert!(!error.contains("canary"), "{error}");
        }
        let long = written(&[("A".to_owned(), "x".repeat(MOST))]).unwrap_err();
        assert!(long.to_string().contains("1024 KiB"), "{long}");
    }

    #[test]
    fn without_a_word_nothing_begins() {
        let whole = written(&[("A".to_owned(), "b".to_owned())]).unwrap();
        for kept in 0..whole.len() {
            let (reader, mut writer) = io::pipe().unwrap();
            writer.write_all(&whole[..kept]).unwrap();
            drop(writer);
            assert!(read(reader.as_fd()).is_err(), "{kept}");
        }
    }
}
