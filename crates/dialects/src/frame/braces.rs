//! Calls as Gemma writes them: `call:f{a:1,b:<escape>x<escape>}`.

use crate::{
    Dialect,
    grammar::Token,
    reader::{Read, Reader, Stop},
    value::json::{Style, To},
};

/// Reads a call behind its opening mark, and the mark that closes it.
pub(super) async fn read(
    reader: &mut Reader,
    quote: &'static str,
    close: &'static str,
    dialect: Dialect,
) -> Read {
    reader.blanks().await;
    reader.require("call:").await?;
    reader.blanks().await;
    let name = reader.word().await;
    reader.blanks().await;
    if reader.byte().await? != b'{' || name.is_empty() {
        return Err(Stop::Broken);
    }
    reader.out.begin();
    reader.out.name(name);
    reader.value(To::Arguments, Style { quote: Some(quote), ..Style::JSON }).await?;
    reader.surplus().await;
    reader.out.end();
    reader.recognised(dialect);
    reader.accept();
    let after = reader.position();
    reader.blanks().await;
    match reader.marker().await {
        Some((Token::Mark(mark), length)) if mark == close => reader.bump(length),
        _ => reader.rewind(after),
    }
    Ok(())
}
