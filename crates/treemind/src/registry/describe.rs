//! What documents and editors are told of the leaves that are registered.

use super::Registry;
use super::entry::{Entry, KnownParam};
use super::value::ParamDefault;
use treemind_doc::manifest::{ChildCount, Manifest, ParamType, ParamValue};

/// What is said of the leaf that was registered last.
impl<W: 'static> Registry<W> {
    /// Says that the last leaf takes this parameter, what it is where a node gives none, and what it means.
    ///
    /// Of a [type](super::ActionType) the names and types of parameters are known from its fields; this adds a default and a line.
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

    /// Says that the last leaf takes this parameter, which every node must give, and what it means.
    pub fn required<T: ParamDefault>(&mut self, name: &str, doc: &str) -> &mut Self {
        self.known(name, T::ty(), None, doc)
    }

    /// Says that the last leaf takes this parameter of type `enum`, with these values; without a default every node
    /// must give it.
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

    /// Says what tables call the last leaf that know leaves by number. No two leaves have the same; 0, 1 and 2 are
    /// taken by `selector`, `sequence` and `invert`.
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

    /// Says that the last leaf, an action, never answers running.
    pub fn instant(&mut self) -> &mut Self {
        self.last("instant", |entry| {
            entry.instant = true;
            Ok(())
        })
    }

    /// Says that the last leaf, an action, is started and stopped but not updated: it runs until the game says that it is over.
    pub fn reports(&mut self) -> &mut Self {
        self.last("reports", |entry| {
            entry.reports = true;
            Ok(())
        })
    }

    /// Says how many children the last leaf has, a composite: at least so many, at least 1, and at most.
    pub fn children(&mut self, least: u32, most: Option<u32>) -> &mut Self {
        self.last("children", |entry| {
            if entry.children.is_none() {
                return Err("only a composite has a number of children".to_owned());
            }
            if least == 0 || most.is_some_and(|most| most < least) {
                return Err("no node can have that number of children".to_owned());
            }
            entry.children = Some(ChildCount { least, most });
            Ok(())
        })
    }

    /// What is registered, for documents to import and editors to offer: [`Manifest::to_kdl`], or JSON through serde.
    ///
    /// The parameters of closures are those that [`param`](Self::param) and the like name; those of types are their
    /// fields, all but fields whose type no document has. A field with a default of serde's has it in a document only if
    /// `param` names it too.
    pub fn manifest(&self) -> Manifest {
        Manifest {
            leaves: self.leaves.iter().filter_map(Entry::told).collect(),
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
                return Err(format!("`{value}` is not among the values of `{name}`"));
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
                // Of all texts only these.
                param.ty = ty.clone();
            }
            let own = &param.ty;
            let widened = default.map(|value| value.widened(own));
            if !ty.widens_to(own) || widened == Some(None) {
                return Err(format!(
                    "the parameter `{name}` is described as `{}`, and the code takes `{}`",
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

    /// Changes the leaf that was registered last, or remembers why that cannot be.
    fn last(
        &mut self,
        what: &str,
        change: impl FnOnce(&mut Entry<W>) -> Result<(), String>,
    ) -> &mut Self {
        match self.leaves.last_mut() {
            None => self
                .slips
                .push(format!("`{what}` is said before any leaf is registered")),
            Some(entry) => {
                if let Err(text) = change(entry) {
                    let text = format!("`{}` as it is registered: {text}", entry.name);
                    self.slips.push(text);
                }
            }
        }
        self
    }
}

fn said(doc: &str) -> Option<String> {
    (!doc.is_empty()).then(|| doc.to_owned())
}
