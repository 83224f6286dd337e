//! Items as lines of the listing.

use super::names::is_left_out;
use syn::spanned::Spanned;
use syn::{
    Attribute, Fields, ImplItem, Item, ItemImpl, Meta, Signature, TraitItem, Type, Visibility,
};

/// Traits come before methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    Trait,
    Member,
}

/// An item, as it is listed.
pub(super) struct Listed {
    pub(super) is_public: bool,
    /// The line of the item itself.
    pub(super) line: String,
    /// Derived traits, in the order of their names.
    pub(super) derived: Vec<String>,
    /// Public fields, variants or the items of a trait, in the order of the source.
    pub(super) parts: Vec<String>,
}

/// The name of an item, and its lines; `None` for one that is not listed.
pub(super) fn listed(item: &Item, text: &str) -> Option<(String, Listed)> {
    let is_public = |vis: &Visibility| matches!(vis, Visibility::Public(_));
    let (attrs, name, is_public, head, parts) = match item {
        Item::Struct(one) => {
            let generics = of(&one.generics, text);
            let head = format!("struct {}{generics}", one.ident);
            (
                &one.attrs,
                one.ident.to_string(),
                is_public(&one.vis),
                head,
                fields(&one.fields, text, true),
            )
        }
        Item::Enum(one) => {
            let generics = of(&one.generics, text);
            let variants = one.variants.iter().filter(|one| !is_left_out(&one.attrs));
            let variants = variants.map(|one| match &one.fields {
                Fields::Unit => one.ident.to_string(),
                Fields::Named(_) => format!(
                    "{} {{ {} }}",
                    one.ident,
                    fields(&one.fields, text, false).join(", ")
                ),
                Fields::Unnamed(_) => format!(
                    "{}({})",
                    one.ident,
                    fields(&one.fields, text, false).join(", ")
                ),
            });
            let head = format!("enum {}{generics}", one.ident);
            (
                &one.attrs,
                one.ident.to_string(),
                is_public(&one.vis),
                head,
                variants.collect(),
            )
        }
        Item::Trait(one) => {
            let generics = of(&one.generics, text);
            let above = match one.supertraits.is_empty() {
                true => String::new(),
                false => format!(": {}", of(&one.supertraits, text)),
            };
            let items = one.items.iter().filter_map(|item| of_trait(item, text));
            let head = format!("trait {}{generics}{above}", one.ident);
            (
                &one.attrs,
                one.ident.to_string(),
                is_public(&one.vis),
                head,
                items.collect(),
            )
        }
        Item::Fn(one) => {
            let head = signature(&one.sig, text);
            (
                &one.attrs,
                one.sig.ident.to_string(),
                is_public(&one.vis),
                head,
                Vec::new(),
            )
        }
        Item::Const(one) => {
            let head = format!("const {}: {}", one.ident, of(&one.ty, text));
            (
                &one.attrs,
                one.ident.to_string(),
                is_public(&one.vis),
                head,
                Vec::new(),
            )
        }
        Item::Static(one) => {
            let head = format!("static {}: {}", one.ident, of(&one.ty, text));
            (
                &one.attrs,
                one.ident.to_string(),
                is_public(&one.vis),
                head,
                Vec::new(),
            )
        }
        Item::Type(one) => {
            let head = format!(
                "type {}{} = {}",
                one.ident,
                of(&one.generics, text),
                of(&one.ty, text)
            );
            (
                &one.attrs,
                one.ident.to_string(),
                is_public(&one.vis),
                head,
                Vec::new(),
            )
        }
        _ => return None,
    };
    if is_left_out(attrs) {
        return None;
    }
    let grows = attrs
        .iter()
        .any(|one| one.path().is_ident("non_exhaustive"));
    let line = format!("{}{head}", if grows { "#[non_exhaustive] " } else { "" });
    let listed = Listed {
        is_public,
        line,
        derived: derived(attrs),
        parts,
    };
    Some((name, listed))
}

/// The path of a type, and lines about it.
type OfType = (Vec<String>, Vec<(Order, String)>);

/// The type of an `impl` block, and its public lines; `None` if it is for no named type.
pub(super) fn of_impl(block: &ItemImpl, text: &str) -> Option<OfType> {
    let Type::Path(path) = &*block.self_ty else {
        return None;
    };
    let segments = path.path.segments.iter();
    let of_type = segments.map(|segment| segment.ident.to_string()).collect();
    if let Some((of_trait, _)) = &block.trait_ {
        return Some((
            of_type,
            vec![(Order::Trait, format!("impl {}", of(of_trait, text)))],
        ));
    }
    let lines = block.items.iter().filter_map(|item| {
        let line = match item {
            ImplItem::Fn(one) if is_open(&one.vis, &one.attrs) => signature(&one.sig, text),
            ImplItem::Const(one) if is_open(&one.vis, &one.attrs) => {
                format!("const {}: {}", one.ident, of(&one.ty, text))
            }
            _ => return None,
        };
        Some((Order::Member, format!("pub {line}")))
    });
    Some((of_type, lines.collect()))
}

fn is_open(vis: &Visibility, attrs: &[Attribute]) -> bool {
    matches!(vis, Visibility::Public(_)) && !is_left_out(attrs)
}

fn of_trait(item: &TraitItem, text: &str) -> Option<String> {
    match item {
        TraitItem::Fn(one) if !is_left_out(&one.attrs) => {
            let default = if one.default.is_some() {
                " { … }"
            } else {
                ""
            };
            Some(format!("{}{default}", signature(&one.sig, text)))
        }
        TraitItem::Type(one) => {
            let bounds = of(&one.bounds, text);
            let generics = of(&one.generics, text);
            let colon = if bounds.is_empty() { "" } else { ": " };
            Some(format!("type {}{generics}{colon}{bounds}", one.ident))
        }
        TraitItem::Const(one) => Some(format!("const {}: {}", one.ident, of(&one.ty, text))),
        _ => None,
    }
}

/// Fields; of a struct only those that are public.
fn fields(fields: &Fields, text: &str, only_public: bool) -> Vec<String> {
    let open = fields.iter().enumerate();
    let open = open.filter(|(_, field)| !only_public || is_open(&field.vis, &field.attrs));
    open.map(|(place, field)| {
        let ty = of(&field.ty, text);
        match (&field.ident, only_public) {
            (Some(name), true) => format!("pub {name}: {ty}"),
            (Some(name), false) => format!("{name}: {ty}"),
            (None, true) => format!("pub {place}: {ty}"),
            (None, false) => ty,
        }
    })
    .collect()
}

fn derived(attrs: &[Attribute]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for attribute in attrs.iter().filter(|one| one.path().is_ident("derive")) {
        if let Meta::List(list) = &attribute.meta {
            let names = list.tokens.to_string();
            all.extend(
                names
                    .split(',')
                    .map(|name| name.replace(' ', ""))
                    .filter(|name| !name.is_empty()),
            );
        }
    }
    all.sort();
    all
}

fn signature(signature: &Signature, text: &str) -> String {
    of(signature, text)
}

/// The text of a part of the source, on one line.
fn of(part: &impl Spanned, text: &str) -> String {
    let range = part.span().byte_range();
    // A part without words, such as absent generics, has a span of something else.
    let words: Vec<&str> = text.get(range).unwrap_or("").split_whitespace().collect();
    let line = words.join(" ");
    line.replace("( ", "(")
        .replace(", )", ")")
        .replace(" )", ")")
        .replace("< ", "<")
        .replace(", >", ">")
}
