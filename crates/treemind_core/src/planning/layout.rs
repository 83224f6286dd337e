//! Situations: the values of all facts in a few words. What a search changes comes first.

use crate::behaviour::{Behaviour, Form, PlannerKeys};
use crate::blackboard::{Held, Packed, Tag};
use crate::ids::KeyId;
use crate::text::Text;
use crate::value::{Type, Value};

/// Where a fact is in a situation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) key: KeyId,
    pub(super) ty: Type,
    pub(super) is_list: bool,
    pub(super) word: u32,
    pub(super) shift: u32,
    /// The bits of the value before they are shifted.
    pub(super) mask: u64,
    /// The word and the bit that say that there is a value; `None` if there always is one.
    pub(super) set: Option<(u32, u64)>,
}

/// Where the facts of a planner are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Layout {
    /// In the order of the keys.
    pub(super) places: Vec<Place>,
    /// The same by the names of the keys, so that hashes do not depend on numbers.
    pub(super) by_name: Vec<u32>,
    /// The same in the order of their words.
    pub(super) by_word: Vec<u32>,
    /// How many words change in a search; they are the first.
    pub(super) planned: usize,
    /// Whether a fact may be a text, whose number differs from process to process.
    pub(super) has_texts: bool,
    /// The word with the handle of the agent, after all others.
    pub(super) me: u32,
    /// How many words there are.
    pub(super) words: usize,
}

/// Gives out bits, word after word.
struct Room {
    words: u32,
    /// The word that has bits left, and how many are taken.
    open: Option<(u32, u32)>,
}

impl Room {
    fn whole(&mut self, words: u32) -> u32 {
        self.words += words;
        self.words - words
    }

    fn bits(&mut self, bits: u32) -> (u32, u32) {
        match self.open {
            Some((word, taken)) if taken + bits <= 64 => {
                self.open = Some((word, taken + bits));
                (word, taken)
            }
            _ => {
                let word = self.whole(1);
                self.open = Some((word, bits));
                (word, 0)
            }
        }
    }
}

/// How many bits a value takes, if they are fewer than a word has; whole words otherwise.
fn size(behaviour: &Behaviour, ty: Type, is_list: bool) -> Result<u32, u32> {
    if is_list {
        return Ok(32);
    }
    match ty {
        Type::Bool => Ok(1),
        Type::Enum(list) => {
            let values = behaviour.enumeration(list).values.len() as u32;
            Ok((32 - (values - 1).leading_zeros()).max(1))
        }
        Type::Text | Type::Float => Ok(32),
        Type::Int | Type::Double | Type::Entity | Type::Vec2 => Err(1),
        Type::Vec3 | Type::Any => Err(2),
    }
}

impl Layout {
    pub(super) fn new(behaviour: &Behaviour, keys: &PlannerKeys) -> Self {
        let mut room = Room {
            words: 0,
            open: None,
        };
        let mut layout = Self::default();
        let is_planned = |key: &KeyId| keys.planned.contains(key);
        // Places depend on names, not on numbers.
        let mut facts = keys.facts.clone();
        // Only the `when` of a goal asks for events, and no search does.
        facts.retain(|key| behaviour.key(*key).heard.is_none());
        facts.sort_by_key(|key| &behaviour.key(*key).name);
        let planned = facts.iter().filter(|key| is_planned(key));
        let fixed = facts.iter().filter(|key| !is_planned(key));
        for (group, last) in [
            (planned.collect::<Vec<_>>(), false),
            (fixed.collect::<Vec<_>>(), true),
        ] {
            for key in group {
                layout.places.push(place(behaviour, *key, &mut room));
            }
            if !last {
                layout.planned = room.words as usize;
                room.open = None;
            }
        }
        layout.places.sort_by_key(|place| place.key);
        layout.by_name = (0..layout.places.len() as u32).collect();
        let places = &layout.places;
        layout
            .by_name
            .sort_by_key(|at| &behaviour.key(places[*at as usize].key).name);
        layout.by_word = layout.by_name.clone();
        layout.by_word.sort_by_key(|at| places[*at as usize].word);
        let is_text = |place: &Place| matches!(place.ty, Type::Text | Type::Any) && !place.is_list;
        layout.has_texts = layout.places.iter().any(is_text);
        layout.me = room.whole(1);
        layout.words = room.words as usize;
        layout
    }

    /// What [`canonical`](Self::canonical) says, where the words of a situation are just that.
    pub(super) fn canonical_words<'s>(&self, situation: &'s [u64]) -> Option<&'s [u8]> {
        let are_bytes = cfg!(target_endian = "little") && !self.has_texts;
        are_bytes.then(|| bytemuck::cast_slice(&situation[..self.me as usize]))
    }

    /// Bytes that say what the facts are, and are the same in every process.
    pub(super) fn canonical(&self, situation: &[u64], to: &mut Vec<u8>) {
        if !self.has_texts {
            for word in &situation[..self.me as usize] {
                to.extend_from_slice(&word.to_le_bytes());
            }
            return;
        }
        for at in &self.by_name {
            self.places[*at as usize].canonical(situation, to);
        }
    }

    pub(super) fn place(&self, key: KeyId) -> Place {
        let at = self.places.binary_search_by_key(&key, |place| place.key);
        self.places[at.expect("a planner reads only its facts")]
    }
}

fn place(behaviour: &Behaviour, id: KeyId, room: &mut Room) -> Place {
    let key = behaviour.key(id);
    let is_list = matches!(key.form, Form::List { .. });
    let (word, shift, mask) = match size(behaviour, key.ty, is_list) {
        Ok(bits) => {
            let (word, shift) = room.bits(bits);
            (word, shift, (1 << bits) - 1)
        }
        Err(words) => (room.whole(words), 0, u64::MAX),
    };
    let is_optional = matches!(key.form, Form::Optional { .. });
    let set = is_optional.then(|| {
        let (word, shift) = room.bits(1);
        (word, 1 << shift)
    });
    Place {
        key: id,
        ty: key.ty,
        is_list,
        word,
        shift,
        mask,
        set,
    }
}

#[inline(always)]
pub(super) fn float_bits(value: f32) -> u64 {
    // There is one NaN.
    let value = if value.is_nan() { f32::NAN } else { value };
    u64::from(value.to_bits())
}

fn two(parts: &[f32]) -> u64 {
    float_bits(parts[0]) | float_bits(parts[1]) << 32
}

impl Place {
    /// The bits of a value of its type: one word, and a second one for a few types.
    pub(super) fn bits(self, value: Value) -> [u64; 2] {
        if self.ty == Type::Any {
            let value = match value {
                Value::Double(double) if double.is_nan() => Value::Double(f64::NAN),
                Value::Float(float) if float.is_nan() => Value::Float(f32::NAN),
                other => other,
            };
            let packed = Packed::of(value);
            let second = u64::from(packed.tag) | u64::from(packed.narrow) << 32;
            return [packed.wide, second];
        }
        match value {
            Value::Bool(value) => [u64::from(value), 0],
            Value::Int(value) => [value as u64, 0],
            Value::Float(value) => [float_bits(value), 0],
            Value::Double(value) if value.is_nan() => [f64::NAN.to_bits(), 0],
            Value::Double(value) => [value.to_bits(), 0],
            Value::Enum(_, value) => [u64::from(value), 0],
            Value::Entity(value) => [value, 0],
            Value::Text(text) => [u64::from(text.number()), 0],
            Value::Vec2(parts) => [two(&parts), 0],
            Value::Vec3(parts) => [two(&parts), float_bits(parts[2])],
        }
    }

    fn has_two(self) -> bool {
        matches!(self.ty, Type::Vec3 | Type::Any) && !self.is_list
    }

    /// Whether there is a value.
    #[inline(always)]
    pub(super) fn is_set(self, situation: &[u64]) -> bool {
        self.set
            .is_none_or(|(word, bit)| situation[word as usize] & bit != 0)
    }

    #[inline(always)]
    pub(super) fn raw(self, situation: &[u64]) -> u64 {
        situation[self.word as usize] >> self.shift & self.mask
    }

    /// The value; `None` when there is none.
    #[inline]
    pub(super) fn value(self, situation: &[u64]) -> Option<Value> {
        if !self.is_set(situation) {
            return None;
        }
        let raw = self.raw(situation);
        let float = |bits: u64| f32::from_bits(bits as u32);
        Some(match self.ty {
            Type::Bool => Value::Bool(raw != 0),
            Type::Int => Value::Int(raw as i64),
            Type::Float => Value::Float(float(raw)),
            Type::Double => Value::Double(f64::from_bits(raw)),
            Type::Enum(list) => Value::Enum(list, raw as u32),
            Type::Entity => Value::Entity(raw),
            Type::Text => Value::Text(Text::from_bits(raw as u32)),
            Type::Vec2 => Value::Vec2([float(raw), float(raw >> 32)]),
            Type::Vec3 => {
                let third = float(situation[self.word as usize + 1]);
                Value::Vec3([float(raw), float(raw >> 32), third])
            }
            Type::Any => {
                let second = situation[self.word as usize + 1];
                let packed = Packed {
                    tag: second as u32,
                    wide: raw,
                    narrow: (second >> 32) as u32,
                };
                packed.value()
            }
        })
    }

    /// Gives the fact a value.
    #[inline]
    pub(super) fn set(self, situation: &mut [u64], value: Value) {
        let [first, second] = self.bits(value);
        self.set_raw(situation, first);
        if self.has_two() {
            situation[self.word as usize + 1] = second;
        }
    }

    #[inline(always)]
    pub(super) fn set_raw(self, situation: &mut [u64], bits: u64) {
        let word = &mut situation[self.word as usize];
        *word = *word & !(self.mask << self.shift) | bits << self.shift;
        if let Some((word, bit)) = self.set {
            situation[word as usize] |= bit;
        }
    }

    /// Stores what a key holds in a situation of zeros.
    pub(super) fn read(self, situation: &mut [u64], held: Held<'_>) {
        match held {
            Held::One(value) => self.set(situation, value),
            // Of a list, expressions read how long it is.
            Held::List(list) => self.set_raw(situation, list.len() as u64),
            Held::Unset => {}
        }
    }

    /// Adds the fact to bytes that are the same in every process.
    pub(super) fn canonical(self, situation: &[u64], to: &mut Vec<u8>) {
        to.push(u8::from(self.is_set(situation)));
        if !self.is_set(situation) {
            return;
        }
        let raw = self.raw(situation);
        let text = |raw: u64| Text::from_bits(raw as u32).as_str();
        if self.ty == Type::Text && !self.is_list {
            let text = text(raw);
            to.extend((text.len() as u64).to_le_bytes());
            to.extend(text.as_bytes());
            return;
        }
        let is_text = |second: u64| Tag::of(second as u32) == Some(Tag::Text);
        match self.has_two().then(|| situation[self.word as usize + 1]) {
            Some(second) if self.ty == Type::Any && is_text(second) => {
                to.extend(second.to_le_bytes());
                let text = text(raw);
                to.extend((text.len() as u64).to_le_bytes());
                to.extend(text.as_bytes());
            }
            second => {
                to.extend(raw.to_le_bytes());
                to.extend(second.unwrap_or(0).to_le_bytes());
            }
        }
    }
}
