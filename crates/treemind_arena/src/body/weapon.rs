//! Blows and shots: animations with a window in which they land.

/// A way of striking or shooting.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Weapon {
    /// Its name on maps.
    pub name: &'static str,
    /// How far it reaches in the direction that its bearer faces, in millimetres.
    pub reach_mm: i32,
    /// How far it reaches to the back, in millimetres.
    pub back_mm: i32,
    /// The first tick of the animation in which a blow can land …
    pub opens_ticks: u32,
    /// … and the last one.
    pub closes_ticks: u32,
    /// How long the animation is, in ticks.
    pub length_ticks: u32,
    /// The damage of a blow, in hit points, give or take two.
    pub damage: i32,
    /// Whether it knocks out instead of killing.
    pub is_blunt: bool,
}

impl Weapon {
    /// All weapons.
    pub const ALL: [Self; 7] = [
        Self {
            name: "sword",
            reach_mm: 1_500,
            back_mm: 1_500,
            opens_ticks: 6,
            closes_ticks: 6,
            length_ticks: 14,
            damage: 15,
            is_blunt: false,
        },
        Self {
            name: "axe",
            reach_mm: 1_600,
            back_mm: 1_600,
            opens_ticks: 8,
            closes_ticks: 8,
            length_ticks: 16,
            damage: 18,
            is_blunt: false,
        },
        Self {
            name: "club",
            reach_mm: 2_500,
            back_mm: 500,
            opens_ticks: 6,
            closes_ticks: 10,
            length_ticks: 16,
            damage: 25,
            is_blunt: false,
        },
        Self {
            name: "fist",
            reach_mm: 1_200,
            back_mm: 300,
            opens_ticks: 4,
            closes_ticks: 6,
            length_ticks: 10,
            damage: 12,
            is_blunt: true,
        },
        Self {
            name: "bow",
            reach_mm: 9_000,
            back_mm: 0,
            opens_ticks: 2,
            closes_ticks: 2,
            length_ticks: 20,
            damage: 22,
            is_blunt: false,
        },
        Self {
            name: "rifle",
            reach_mm: 25_000,
            back_mm: 0,
            opens_ticks: 2,
            closes_ticks: 2,
            length_ticks: 30,
            damage: 30,
            is_blunt: false,
        },
        Self {
            name: "pistol",
            reach_mm: 10_000,
            back_mm: 0,
            opens_ticks: 2,
            closes_ticks: 2,
            length_ticks: 8,
            damage: 10,
            is_blunt: false,
        },
    ];

    /// The weapon with this name.
    pub fn of(name: &str) -> Option<&'static Self> {
        const ALL: &[Weapon] = &Weapon::ALL;
        ALL.iter().find(|weapon| weapon.name == name)
    }

    /// Whether a blow lands `ticks` ticks after its animation began.
    pub fn lands_at(&self, ticks: u32) -> bool {
        (self.opens_ticks..=self.closes_ticks).contains(&ticks)
    }

    /// Whether a target this far ahead is within reach, in millimetres, negative behind.
    pub fn reaches(&self, ahead_mm: i32) -> bool {
        (-self.back_mm..=self.reach_mm).contains(&ahead_mm)
    }
}
