//! Descriptions of the registered leaves, for documents and editors.

use super::Registry;
use super::entry::{Entry, KnownParam};
use super::value::ParamDefault;
use crate::world::World;
use treemind_doc::manifest::{ChildCount, Manifest, ParamType, ParamValue};

/// Descriptions of the leaf that was registered last.
impl<W: World + ?Sized> Registry<W> {
    /// Declares a parameter of the last leaf, with its default for nodes that do not give it, and its meaning.
    ///
    /// The parameters of a [type](super::ActionType) are known from its fields, with their names and types; for
    /// these, this adds a default and a line of text.
    ///
    /// ```
    /// use treemind::prelude::*;
    /// struct World { struck: f32 }
    ///
    /// let mut registry = Registry::<World>::new();
    /// registry
    ///     .condition("see-enemy", |_, _| true)
    ///     .number(3)
    ///     .doc("an enemy is in sight")
    ///     .action("attack", |world, me| { world.struck = me.arg("range"); Status::Success })
    ///     .number(4)
    ///     .instant()
    ///     .param("range", 2.0_f32, "metres");
    /// let text = registry.manifest().to_kdl();
    /// assert_eq!(text, r#"leaves {
    ///     condition see-enemy number=3 doc="an enemy is in sight"
    ///     action attack number=4 instant=#true {
    ///         param range type=float default=2.0 doc="metres"
    ///     }
    /// }
    /// "#);
    /// ```
    pub fn param<T: ParamDefault>(&mut self, name: &str, default: T, doc: &str) -> &mut Self {
        self.known(name, T::ty(), Some(default.into_param()), doc)
    }

    /// Declares a parameter of the last leaf that every node must give, with its meaning.
    pub fn required<T: ParamDefault>(&mut self, name: &str, doc: &str) -> &mut Self {
        self.known(name, T::ty(), None, doc)
    }

    /// Declares a parameter of the last leaf of type `enum`, with these values. Without a default every node must
    /// give it.
    pub fn choice(
        &mut self,
        name: &str,
        values: &[&str],
        default: Option<&str>,
        doc: &str,
    ) -> &mut Self {
        let ty = ParamType::Enum(values.iter().map(|&value| value.to_owned()).collect());
        let default = default.map(|value| ParamValue::Name(value.to_owned()));
        self.known(name, ty, default, doc)
    }

    /// Sets the number of the last leaf in tables that identify leaves by number. No two leaves may have the same
    /// number; 0, 1 and 2 belong to `selector`, `sequence` and `invert`.
    pub fn number(&mut self, number: u32) -> &mut Self {
        self.last("number", |entry| {
            entry.number = Some(number);
            Ok(())
        })
    }

    /// Says in one line what the last leaf means.
    pub fn doc(&mut self, doc: &str) -> &mut Self {
        self.last("doc", |entry| {
            entry.doc = said(doc);
            Ok(())
        })
    }

    /// Declares that the last leaf, an action, never answers running.
    pub fn instant(&mut self) -> &mut Self {
        self.last("instant", |entry| {
            entry.instant = true;
            Ok(())
        })
    }

    /// Declares that the last leaf, an action, is started and stopped but not updated: it runs until the game says
    /// that it has ended.
    pub fn reports(&mut self) -> &mut Self {
        self.last("reports", |entry| {
            entry.reports = true;
            Ok(())
        })
    }

    /// Declares how many children the last leaf, a composite, has: at least `least`, which is at least 1, and at
    /// most `most`.
    pub fn children(&mut self, least: u32, most: Option<u32>) -> &mut Self {
        self.last("children", |entry| {
            if entry.children.is_none() {
                return Err("only a composite can have a number of children".to_owned());
            }
            if least == 0 || most.is_some_and(|most| most < least) {
                return Err("a node cannot have that number of children".to_owned());
            }
            entry.children = Some(ChildCount { least, most });
            Ok(())
        })
    }

    /// What is registered, for documents to import and editors to offer: see [`Manifest::to_kdl`], or use serde for
    /// JSON.
    ///
    /// The parameters of closures are those declared with [`param`](Self::param) and its relatives. The parameters
    /// of types are their fields, except fields whose type documents do not have. A field with a serde default has
    /// a default in a document only if `param` declares it too.
    pub fn manifest(&self) -> Manifest {
        Manifest {
            leaves: self
                .leaves
                .iter()
                .filter_map(Entry::manifest_entry)
                .collect(),
        }
    }

    fn known(
        &mut self,
        name: &str,
        ty: ParamType,
        default: Option<ParamValue>,
        doc: &str,
    ) -> &mut Self {
        self.last("param", |entry| {
            if let Some(ParamValue::Name(value)) =
                default.as_ref().filter(|value| !value.is_of(&ty))
            {
                return Err(format!("`{value}` is not one of the values of `{name}`"));
            }
            let is_optional = default.is_some();
            let Some(param) = entry.params.iter_mut().find(|param| param.name == name) else {
                entry.params.push(KnownParam {
                    name: name.to_owned(),
                    ty,
                    default,
                    doc: said(doc),
                    is_optional,
                });
                return Ok(());
            };
            if param.ty == ParamType::Text && matches!(ty, ParamType::Enum(_)) {
                // Only these texts are allowed.
                param.ty = ty.clone();
            }
            let own = &param.ty;
            let widened = default.map(|value| value.widened(own));
            if !ty.widens_to(own) || widened == Some(None) {
                return Err(format!(
                    "the parameter `{name}` is described as `{}`, but the code takes `{}`",
                    ty.keyword(),
                    own.keyword()
                ));
            }
            param.default = widened.flatten();
            param.doc = said(doc);
            param.is_optional |= is_optional;
            Ok(())
        })
    }

    /// Changes the leaf that was registered last, or records why this is not possible.
    fn last(
        &mut self,
        what: &str,
        change: impl FnOnce(&mut Entry<W>) -> Result<(), String>,
    ) -> &mut Self {
        match self.leaves.last_mut() {
            None => self.mistakes.push(format!(
                "`{what}` was called before any leaf was registered"
            )),
            Some(entry) => {
                if let Err(text) = change(entry) {
                    let text = format!("`{}` as it is registered: {text}", entry.name);
                    self.mistakes.push(text);
                }
            }
        }
        self
    }
}

fn said(doc: &str) -> Option<String> {
    (!doc.is_empty()).then(|| doc.to_owned())
}
