//! A registered leaf: its name, its code, and what is known of its parameters.

use super::bulk::Leaf;
use super::keys::Place;
use super::own::{self, ActionType, ConditionType, Field, Keep, NodeType, ServiceType};
use crate::world::World;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use std::sync::Arc;
use treemind_core::Type;
use treemind_doc::manifest::{ChildCount, LeafEntry, LeafWord, ParamEntry, ParamType, ParamValue};

/// A registered leaf.
pub(super) struct Entry<W: World + ?Sized> {
    pub(super) name: String,
    /// `None` for a scripted leaf, which serves as any kind that a behaviour needs.
    pub(super) word: Option<LeafWord>,
    pub(super) instant: bool,
    pub(super) reports: bool,
    /// For a composite.
    pub(super) children: Option<ChildCount>,
    pub(super) number: Option<u32>,
    pub(super) doc: Option<String>,
    pub(super) params: Vec<KnownParam>,
    /// For a sensor, what it returns; for candidates and measures, what they are about.
    pub(super) gives: Option<Given>,
    pub(super) source: Box<dyn Source<W>>,
    /// Why the states of its runs cannot be saved, although they are registered for it.
    pub(super) cannot_save: Option<String>,
    /// The type of its runs' states, if it is not saved.
    pub(super) unsaved_state: Option<&'static str>,
}

/// What a sensor returns.
#[derive(Clone, Copy)]
pub(super) struct Given {
    /// Whether it returns the items of a list.
    pub(super) is_list: bool,
    /// Whether a key of this type can hold it.
    pub(super) matches: fn(Type) -> bool,
    /// The word that documents use.
    pub(super) keyword: &'static str,
}

/// What is known about a parameter.
#[derive(Clone, Debug)]
pub(super) struct KnownParam {
    pub(super) name: String,
    pub(super) ty: ParamType,
    pub(super) default: Option<ParamValue>,
    pub(super) doc: Option<String>,
    /// The code works without it.
    pub(super) is_optional: bool,
}

impl<W: World + ?Sized> Entry<W> {
    pub(super) fn new(
        name: &str,
        word: Option<LeafWord>,
        source: impl Source<W> + 'static,
    ) -> Self {
        Self {
            name: name.to_owned(),
            word,
            instant: false,
            reports: false,
            children: None,
            number: None,
            doc: None,
            params: Vec::new(),
            gives: None,
            source: Box::new(source),
            cannot_save: None,
            unsaved_state: None,
        }
    }

    /// Notes that the states of its runs are not saved, if they have any.
    pub(super) fn without_saving<S: 'static>(mut self) -> Self {
        self.unsaved_state = own::unsaved_state::<S>();
        self
    }

    /// Adds the parameters that the fields of a type show.
    pub(super) fn with_fields_of<T: DeserializeOwned>(mut self) -> Self {
        let fields = own::fields_of::<T>().unwrap_or_default().into_iter();
        self.params = fields
            .map(|field| {
                let Field {
                    name,
                    ty,
                    is_optional,
                } = field;
                KnownParam {
                    name,
                    ty,
                    default: None,
                    doc: None,
                    is_optional,
                }
            })
            .collect();
        self
    }

    /// The type of what it lists, if it lists candidates.
    fn listed_type(&self) -> Option<ParamType> {
        let gives = self
            .gives
            .filter(|_| self.word == Some(LeafWord::Candidates))?;
        let types = [Type::Vec2, Type::Vec3, Type::Entity];
        let listed = types.into_iter().find(|ty| (gives.matches)(*ty))?;
        Some(ParamType::new(listed, &[]))
    }

    /// The entry for the manifest; `None` for a leaf whose kind is not known.
    pub(super) fn manifest_entry(&self) -> Option<LeafEntry> {
        let params = self.params.iter().map(|param| ParamEntry {
            name: param.name.clone(),
            ty: param.ty.clone(),
            default: param.default.clone(),
            by_key: false,
            doc: param.doc.clone(),
        });
        Some(LeafEntry {
            name: self.name.clone(),
            kind: self.word?,
            number: self.number,
            instant: self.instant,
            reports: self.reports,
            children: self.children,
            ty: self.listed_type(),
            doc: self.doc.clone(),
            params: params.collect(),
        })
    }
}

/// Makes a leaf for a behaviour.
pub(super) trait Source<W: World + ?Sized>: Send + Sync {
    /// The leaf for the nodes at these places; passes each place that does not fit, with the reason, to `failed`.
    fn bind(
        &self,
        places: &[Place<'_>],
        failed: &mut dyn FnMut(&Place<'_>, String),
    ) -> Arc<dyn Leaf<W>>;
}

/// One leaf for all behaviours.
pub(super) struct Shared<L>(pub(super) Arc<L>);

impl<W: World + ?Sized, L: Leaf<W> + 'static> Source<W> for Shared<L> {
    fn bind(&self, _: &[Place<'_>], _: &mut dyn FnMut(&Place<'_>, String)) -> Arc<dyn Leaf<W>> {
        Arc::clone(&self.0) as Arc<dyn Leaf<W>>
    }
}

/// A type of conditions.
pub(super) struct ConditionOf<T>(pub(super) PhantomData<fn() -> T>);

/// A type of services.
pub(super) struct ServiceOf<T>(pub(super) PhantomData<fn() -> T>);

/// A type of actions, and how the states of its runs are saved.
pub(super) struct ActionOf<T, S>(
    pub(super) PhantomData<fn() -> T>,
    pub(super) Option<Keep<S>>,
);

/// A type of composites or decorators, and how the states of its runs are saved.
pub(super) struct NodeOf<T, S>(
    pub(super) PhantomData<fn() -> T>,
    pub(super) Option<Keep<S>>,
);

impl<W: World + ?Sized, T: ConditionType<W>> Source<W> for ConditionOf<T> {
    fn bind(
        &self,
        places: &[Place<'_>],
        failed: &mut dyn FnMut(&Place<'_>, String),
    ) -> Arc<dyn Leaf<W>> {
        Arc::new(own::OwnCondition::<T>::bind(places, failed))
    }
}

impl<W: World + ?Sized, T: ServiceType<W>> Source<W> for ServiceOf<T> {
    fn bind(
        &self,
        places: &[Place<'_>],
        failed: &mut dyn FnMut(&Place<'_>, String),
    ) -> Arc<dyn Leaf<W>> {
        Arc::new(own::OwnService::<T>::bind(places, failed))
    }
}

impl<W: World + ?Sized, T: ActionType<W>> Source<W> for ActionOf<T, T::State> {
    fn bind(
        &self,
        places: &[Place<'_>],
        failed: &mut dyn FnMut(&Place<'_>, String),
    ) -> Arc<dyn Leaf<W>> {
        Arc::new(own::OwnAction::<W, T>::bind(places, self.1, failed))
    }
}

impl<W: World + ?Sized, T: NodeType<W>> Source<W> for NodeOf<T, T::State> {
    fn bind(
        &self,
        places: &[Place<'_>],
        failed: &mut dyn FnMut(&Place<'_>, String),
    ) -> Arc<dyn Leaf<W>> {
        Arc::new(own::OwnNode::<W, T>::bind(places, self.1, failed))
    }
}
