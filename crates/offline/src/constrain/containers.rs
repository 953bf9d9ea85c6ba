//! What a [`Compiler`] makes of lists, objects and maps.

use serde_json::Value;

use super::{
    compile::{Compiler, Entries, Joined, Need, Place, Source},
    grammar::{Field, Kind, NodeId, Then},
    shapes::Unwritable,
    values,
};
use crate::{
    prompt::spaced,
    schema::{count, required},
};

/// How many items an array has, and a map.
const ITEMS: u32 = 16;

impl Compiler<'_> {
    pub(super) fn array(&mut self, schema: &Value, place: Place<'_>) -> Option<NodeId> {
        let count = |key: &str| count(schema, key);
        let least = count("minItems").unwrap_or_default();
        let is_unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        let most = count("maxItems").unwrap_or(ITEMS).min(if is_unique { 1 } else { ITEMS });
        let empty = Value::Object(serde_json::Map::new());
        let items = schema.get("items").unwrap_or(&empty);
        let inner = Place { need: Need::Required, ..place };
        let item =
            if schema.get("prefixItems").is_some() { None } else { self.value(items, inner) };
        let Some(item) = item.filter(|_| most > 0 && least <= most) else {
            return if least == 0 { self.whole(["[]".to_owned()]) } else { None };
        };
        let next = self.list([(", ", Then::NextItem)]);
        let last = self.list([("]", Then::Close)]);
        let either = self.list([(", ", Then::NextItem), ("]", Then::Close)]);
        let open = vec![(b"[".as_slice().into(), Then::FirstItem(self.nodes.len() as NodeId))];
        // An empty list says nothing that leaving it out would not.
        let kind = Kind::Array { item, least: least.max(1), most, next, last, either };
        Some(self.node(open, kind))
    }

    pub(super) fn object(
        &mut self,
        schema: &Value,
        place: Place<'_>,
        source: &dyn Fn(&str) -> Source,
        joined: Option<Joined<'_>>,
    ) -> Option<NodeId> {
        let count = |key: &str| count(schema, key);
        let (least, most) = (count("minProperties").unwrap_or(0), count("maxProperties"));
        let fields = values::fields(schema)?;
        if fields.is_empty() {
            return match schema.get("additionalProperties") {
                Some(values @ Value::Object(_)) if most != Some(0) => {
                    self.map(schema, values, place)
                }
                _ if least > 0 => None,
                _ => self.whole(["{}".to_owned()]),
            };
        }
        if schema.get("propertyNames").is_some() {
            self.unwritable.get_or_insert_with(|| Unwritable::keyword("propertyNames"));
            return None;
        }
        let mut written = Vec::new();
        let name = |at: usize| fields.get(at).map(|(name, _)| name.as_str());
        // They are one only where they stand beside each other.
        let joined = joined.filter(|it| {
            (0..fields.len())
                .any(|at| name(at) == Some(it.first) && name(at + 1) == Some(it.second))
        });
        for (name, inner) in &fields {
            match joined {
                Some(joined) if name == joined.first => {
                    written.push((name, joined.value?, Need::Required));
                    continue;
                }
                Some(joined) if name == joined.second => continue,
                _ => {}
            }
            let need = if required(schema, name) { Need::Required } else { Need::Optional };
            let place = Place { name, need, source: source(name), ..place };
            match (self.field(inner, place), need) {
                (Some(value), _) => written.push((name, value, need)),
                (None, Need::Optional) => {}
                (None, Need::Required) => return None,
            }
        }
        let written = counted(written, least, most)?;
        Some(self.object_of(&written))
    }

    /// A field's value. `null` is for a field that must be there: leaving another out says the same.
    fn field(&mut self, schema: &Value, place: Place<'_>) -> Option<NodeId> {
        let shapes = self.shapes(schema, place.root);
        let value = self.any_of(&shapes, place);
        if place.need == Need::Optional || !shapes.iter().any(values::is_nullable) {
            return value;
        }
        let null = self.whole(["null".to_owned()]);
        let options: Vec<_> = value.into_iter().chain(null).collect();
        self.one_of(&options)
    }

    /// An object of these fields, in this order.
    fn object_of(&mut self, fields: &[(&String, NodeId, Need)]) -> NodeId {
        let object = self.nodes.len() as NodeId;
        // The keys that may stand next, up to one that must, and the end if there is no such.
        let next = |from: usize, before: &str, end: &str| {
            let mut entries = Entries::new();
            for (at, (name, _, need)) in fields.iter().enumerate().skip(from) {
                let key = format!("{before}{}: ", spaced(&name.as_str().into()));
                entries.push((key.into_bytes().into(), Then::Field(object, at as u32)));
                if *need == Need::Required {
                    return entries;
                }
            }
            entries.push((end.as_bytes().into(), Then::Done));
            entries
        };
        let written = fields.iter().enumerate().map(|(at, (_, value, _))| {
            let after = self.push(next(at + 1, ", ", "}"));
            Field { value: *value, after }
        });
        let written = written.collect();
        self.node(next(0, "{", "{}"), Kind::Object(written))
    }

    fn map(&mut self, schema: &Value, values: &Value, place: Place<'_>) -> Option<NodeId> {
        let count = |key: &str| count(schema, key);
        let is_empty_fine = count("minProperties").is_none_or(|least| least == 0);
        let Some(value) = self.value(values, Place { need: Need::Required, ..place }) else {
            return if is_empty_fine { self.whole(["{}".to_owned()]) } else { None };
        };
        let any = Value::Bool(true);
        let names = self.shapes(schema.get("propertyNames").unwrap_or(&any), place.root);
        let mut keys = values::keys(&names, &self.words(place).spans);
        // What a thing is known by has no signs around it: `:59` is a piece of a time, and `NSE_EQ,` of a list.
        let is_whole = |key: &[u8]| {
            let ends = [key.first(), key.last()];
            ends.iter().all(|it| it.is_some_and(|it| it.is_ascii_alphanumeric() || !it.is_ascii()))
        };
        keys.retain(|it| place.source != Source::Grounded || is_whole(it));
        let most = count("maxProperties").unwrap_or(ITEMS).min(ITEMS).min(keys.len() as u32);
        if most == 0 || count("minProperties").is_some_and(|least| least > 1) {
            return None;
        }
        let keys = keys
            .into_iter()
            .map(|key| ([key.as_slice(), b"\": "].concat().into_boxed_slice(), Then::Keyed));
        let keys = self.push(keys.collect());
        let next = self.list([(", \"", Then::NextKey), ("}", Then::Close)]);
        let last = self.list([("}", Then::Close)]);
        let open = vec![(b"{\"".as_slice().into(), Then::FirstKey(self.nodes.len() as NodeId))];
        Some(self.node(open, Kind::Map { value, keys, next, last, most }))
    }
}

/// The fields, as many of them as there must and may be: of those that may be left out the first are kept.
fn counted(
    mut fields: Vec<(&String, NodeId, Need)>,
    least: u32,
    most: Option<u32>,
) -> Option<Vec<(&String, NodeId, Need)>> {
    let needed = fields.iter().filter(|(_, _, need)| *need == Need::Required).count();
    let (least, most) = (least as usize, most.map_or(usize::MAX, |it| it as usize));
    if fields.len() < least || needed > most || least > most {
        return None;
    }
    let (mut more, mut room) = (least.saturating_sub(needed), most - needed);
    fields.retain_mut(|(_, _, need)| {
        if *need == Need::Required {
            return true;
        }
        if more > 0 {
            (*need, more) = (Need::Required, more - 1);
        }
        let is_kept = room > 0;
        room = room.saturating_sub(1);
        is_kept
    });
    Some(fields)
}
