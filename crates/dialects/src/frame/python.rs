//! Calls as Python writes them: `f(a=1, b="x")`.

use super::{
    objects::{self, Names},
    swift,
};
use crate::{
    Dialect, KnownTools,
    grammar::Token,
    reader::{Read, Reader, Stop},
    value::{
        escape,
        json::{Style, To},
    },
};

/// Reads a list of calls, at its bracket.
pub(super) async fn list(reader: &mut Reader, names: Names) -> Read {
    reader.bump(1);
    loop {
        reader.gap().await;
        match reader.peek().await {
            Some(b',') if reader.out.waiting() > 0 => reader.bump(1),
            Some(b']') if reader.out.waiting() > 0 => {
                reader.bump(1);
                break;
            }
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => call(reader, names).await?,
            None if reader.out.waiting() > 0 => return Err(Stop::CutOff),
            _ if reader.out.waiting() > 0 && reader.marker().await.is_some() => {
                reader.out.mend_all();
                break;
            }
            _ => return Err(Stop::Broken),
        }
    }
    reader.recognised(Dialect::Pythonic);
    Ok(())
}

/// Reads a call without brackets that is all there is.
pub(super) async fn alone(reader: &mut Reader) -> Read {
    reader.blanks().await;
    let named = reader.peek().await.is_some_and(|it| it.is_ascii_alphabetic() || it == b'_');
    if !named {
        return Err(Stop::Broken);
    }
    call(reader, Names::Listed).await?;
    reader.blanks().await;
    let over = reader.peek().await.is_none()
        || matches!(reader.marker().await, Some((Token::EndOfTurn, _)));
    if over { Ok(()) } else { Err(Stop::Broken) }
}

/// Reads the calls of a fence, each in a line, perhaps printed.
pub(super) async fn lines(reader: &mut Reader) -> Read {
    loop {
        reader.blanks().await;
        match reader.peek().await {
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                let printed = reader.eat("print(").await;
                reader.eat("default_api.").await;
                call(reader, Names::Listed).await?;
                reader.gap().await;
                if printed && !reader.eat(")").await {
                    let over = reader.peek().await.is_none();
                    return Err(if over { Stop::CutOff } else { Stop::Broken });
                }
            }
            Some(b'`') | None if reader.out.waiting() > 0 => break,
            _ => return Err(Stop::Broken),
        }
    }
    reader.recognised(Dialect::ToolCode);
    Ok(())
}

/// Reads what is behind `<|python_tag|>`: objects, or a call.
pub(super) async fn tag(reader: &mut Reader) -> Read {
    reader.blanks().await;
    loop {
        match reader.byte().await? {
            b'{' | b'[' => {
                objects::payload(reader, Names::Any).await?;
                reader.surplus().await;
            }
            _ if reader.out.committed() > 0 => return Ok(()),
            _ => {
                let name = reader.word().await;
                let name = name.strip_suffix(".call").unwrap_or(&name);
                call_of(reader, name).await?;
            }
        }
        reader.recognised(Dialect::Llama3Json);
        reader.accept();
        if !objects::continues(reader).await {
            return Ok(());
        }
    }
}

async fn call(reader: &mut Reader, names: Names) -> Read {
    let word = reader.word().await;
    let listed = |name: &str| names == Names::Any || reader.tools.has(name);
    let last = word.rsplit('.').next().unwrap_or(&word);
    let name = if listed(&word) { &word } else { last };
    // In prose of whatever dialect, `[f(a=1)]` need not be a call.
    let sure = matches!(reader.grammar.dialect, Dialect::Pythonic | Dialect::ToolCode);
    if !(listed(name) || sure && reader.tools.may_be_unlisted()) {
        return Err(Stop::Broken);
    }
    let listed = listed(name);
    match reader.peek().await {
        Some(b'(') if listed => call_of(reader, name).await,
        Some(b'(') => {
            reader.out.begin();
            arguments(reader).await?;
            reader.name_unlisted(name)?;
            reader.out.end();
            Ok(())
        }
        _ => Err(Stop::Broken),
    }
}

/// Reads the arguments of a call, at the parenthesis.
pub(super) async fn call_of(reader: &mut Reader, name: &str) -> Read {
    if reader.byte().await? != b'(' {
        return Err(Stop::Broken);
    }
    reader.out.begin();
    reader.out.name(name);
    arguments(reader).await?;
    reader.out.end();
    Ok(())
}

async fn arguments(reader: &mut Reader) -> Read {
    reader.bump(1);
    let read =
        |text: &str, _: &KnownTools, json: &mut String| Some(((), swift::keywords(text, json)?));
    if reader.swiftly(read).is_some() {
        return Ok(());
    }
    let mut fields = 0;
    loop {
        reader.gap().await;
        match reader.byte().await? {
            b')' => {
                reader.bump(1);
                break;
            }
            b',' if fields > 0 => reader.bump(1),
            byte if byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii() => {
                let key = reader.word().await;
                reader.gap().await;
                if reader.byte().await? != b'=' {
                    return Err(Stop::Broken);
                }
                reader.bump(1);
                reader.out.json(if fields == 0 { "{" } else { "," });
                reader.out.json(&escape::quoted(&key));
                reader.out.json(":");
                reader.gap().await;
                reader.value(To::Arguments, Style::PYTHON).await?;
                fields += 1;
                if matches!(reader.skip_blanks(), None | Some(b'}' | b']')) {
                    reader.surplus().await;
                }
                // Another argument, or the end.
                reader.gap().await;
                if !matches!(reader.byte().await?, b',' | b')') {
                    return Err(Stop::Broken);
                }
            }
            _ => return Err(Stop::Broken),
        }
    }
    if fields > 0 {
        reader.out.json("}");
    }
    Ok(())
}
