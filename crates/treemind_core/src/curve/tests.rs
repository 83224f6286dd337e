use super::{Curve, exp, ln};

/// Miri is slow.
const STEPS: i32 = if cfg!(miri) { 25 } else { 10_000 };

fn places() -> impl Iterator<Item = f64> {
    (0..=STEPS).map(|step| f64::from(step) / f64::from(STEPS))
}

#[test]
#[cfg_attr(
    miri,
    ignore = "Miri gives the standard library's functions small errors at random"
)]
fn powers_and_logarithms_are_those_of_the_standard_library() {
    for step in -70_000..=70_900 {
        let x = f64::from(step) / 100.0;
        assert!((exp(x) / x.exp() - 1.0).abs() < 1e-15, "e^{x}");
    }
    assert_eq!(exp(0.0), 1.0);
    assert_eq!(ln(1.0), 0.0);
    for x in places().skip(1).chain([1e-300, f64::MIN_POSITIVE, 5e-324]) {
        let wanted = x.ln();
        assert!((ln(x) - wanted).abs() <= wanted.abs() * 4e-16, "ln {x}");
    }
}

#[test]
fn curves_are_what_their_formulas_say() {
    let near = |curve: Curve, formula: &dyn Fn(f64) -> f64| {
        for x in places() {
            let wanted = formula(x).clamp(0.0, 1.0);
            let value = curve.value(x);
            assert!(
                (value - wanted).abs() < 4e-15,
                "{curve:?} at {x}: {value}, not {wanted}"
            );
        }
    };
    near(
        Curve::Linear {
            slope: -1.5,
            offset: 1.25,
        },
        &|x| -1.5 * x + 1.25,
    );
    for exponent in [0.3, 1.0, 2.0, 2.5, 16.0, 40.0] {
        near(Curve::Power { exponent }, &|x| x.powf(exponent));
    }
    for steep in [-20.0, 0.0, 8.0, 900.0] {
        let formula = |x: f64| 1.0 / (1.0 + (-steep * (x - 0.4)).exp());
        near(Curve::Logistic { mid: 0.4, steep }, &formula);
    }
    for steep in [-100.0, -3.0, 0.01, 4.0, 100.0] {
        let formula = |x: f64| (steep * x).exp_m1() / steep.exp_m1();
        near(Curve::Exponential { steep }, &formula);
    }
    near(Curve::Exponential { steep: 0.0 }, &|x| x);
    near(Curve::Step { at: 0.25 }, &|x| {
        f64::from(u8::from(x >= 0.25))
    });
    let points = vec![[0.25, 0.5], [0.5, 1.0], [0.75, 0.0]];
    near(Curve::Points(points), &|x| match x {
        _ if x < 0.25 => 0.5,
        _ if x < 0.5 => 2.0 * x,
        _ if x < 0.75 => 3.0 - 4.0 * x,
        _ => 0.0,
    });
}

#[test]
fn whatever_is_asked_the_answer_lies_between_0_and_1_or_is_no_number() {
    let curves = [
        Curve::Linear {
            slope: 1e300,
            offset: -1e300,
        },
        Curve::Power { exponent: 0.001 },
        Curve::Logistic {
            mid: 0.5,
            steep: f64::MAX,
        },
        Curve::Exponential {
            steep: Curve::MAX_STEEP,
        },
        Curve::Step { at: 2.0 },
        Curve::Points(vec![[0.0, 0.0], [1.0, 1.0]]),
    ];
    for curve in curves {
        assert_eq!(curve.check(), Ok(()));
        for x in [f64::NEG_INFINITY, -0.0, 5e-324, 0.5, 7.0, f64::INFINITY] {
            assert!((0.0..=1.0).contains(&curve.value(x)), "{curve:?} at {x}");
        }
        assert!(curve.value(f64::NAN).is_nan(), "{curve:?}");
    }
}

#[test]
fn a_lane_has_the_same_value_beside_others_as_alone() {
    for curve in [
        Curve::Power { exponent: 0.7 },
        Curve::Logistic {
            mid: 0.3,
            steep: 9.0,
        },
    ] {
        let mut many: Vec<f64> = places().collect();
        curve.bend(&mut many);
        for (x, value) in places().zip(many) {
            assert_eq!(curve.value(x).to_bits(), value.to_bits());
        }
    }
}

#[test]
fn numbers_that_make_no_curve_are_refused() {
    let broken = [
        Curve::Linear {
            slope: f64::NAN,
            offset: 0.0,
        },
        Curve::Power { exponent: 0.0 },
        Curve::Power {
            exponent: f64::INFINITY,
        },
        Curve::Exponential { steep: 101.0 },
        Curve::Step { at: f64::INFINITY },
        Curve::Points(vec![[0.5, 0.5]]),
        Curve::Points(vec![[0.5, 0.5], [0.5, 1.0]]),
        Curve::Points(vec![[0.0, 0.5], [0.5, 1.5]]),
    ];
    for curve in broken {
        assert!(curve.check().is_err(), "{curve:?}");
    }
}
