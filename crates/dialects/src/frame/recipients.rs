//! `recipient`, a new line, and what it gets; the next recipient behind `>>>`.

use super::{Mode, header};
use crate::{
    Dialect,
    reader::{Read, Reader, Stop},
};

/// Reads the recipient that a reply begins with: the prompt ended in `>>>`.
pub(super) async fn first(reader: &mut Reader) -> Read<Mode> {
    reader.blanks().await;
    reader.eat(">>>").await;
    recipient(reader).await
}

/// Reads a recipient behind `>>>`.
pub(super) async fn read(reader: &mut Reader) -> Read<Mode> {
    reader.bump(">>>".len());
    recipient(reader).await
}

async fn recipient(reader: &mut Reader) -> Read<Mode> {
    let name = reader.word().await;
    let everybody = name == "all" && reader.dialect() == Dialect::FunctionaryV32;
    let listed = everybody || reader.tools.has(&name);
    let unlisted = !name.is_empty()
        && reader.tools.may_be_unlisted()
        && reader.grammar.dialect == Dialect::FunctionaryV32;
    if !(listed || unlisted) || reader.peek().await != Some(b'\n') {
        return Err(Stop::Broken);
    }
    reader.bump(1);
    if !listed {
        header::unlisted(reader, &name).await?;
    } else if !everybody {
        header::call(reader, &name).await?;
        reader.recognised(Dialect::FunctionaryV32);
    }
    Ok(Mode::Content)
}
