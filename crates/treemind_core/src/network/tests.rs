use super::{Activation, Desk, Layer, Network};

fn layer(activation: Activation, width: usize, weights: &[f32]) -> Layer {
    Layer {
        width,
        activation,
        weights: weights.to_vec(),
    }
}

fn network(inputs: usize, layers: Vec<Layer>) -> Network {
    let outputs = layers.last().expect("a layer").width;
    let names = (0..outputs).map(|nth| format!("o{nth}")).collect();
    Network::new("n", inputs, names, layers).expect("it fits")
}

#[test]
fn sums_are_made_in_order() {
    // Exactly representable numbers, and an order that matters: 2²⁴ + 1 is 2²⁴ as `f32`.
    let large = 16_777_216.0;
    let one = network(2, vec![layer(Activation::Identity, 1, &[large, 1.0, 1.0])]);
    assert_eq!(one.run(&[1.0, 1.0]), [large]);
    let other = network(2, vec![layer(Activation::Identity, 1, &[1.0, 1.0, large])]);
    assert_eq!(other.run(&[1.0, 1.0]), [16_777_218.0]);
}

#[test]
fn a_product_is_rounded_before_it_is_added() {
    // With a fused addition the result would be 2⁻²⁴ and not 0.
    let weight = 1.0 + f32::EPSILON;
    let squared = weight * weight;
    let one = network(1, vec![layer(Activation::Identity, 1, &[-squared, weight])]);
    assert_eq!(one.run(&[weight]), [0.0]);
    assert_ne!(weight.mul_add(weight, -squared), 0.0);
}

#[test]
fn activations_have_their_known_values() {
    let of = |activation, inputs: &[f32]| {
        let count = inputs.len();
        let mut weights = Vec::new();
        for unit in 0..count {
            weights.push(0.0);
            weights.extend((0..count).map(|nth| if nth == unit { 1.0 } else { 0.0 }));
        }
        network(count, vec![layer(activation, count, &weights)]).run(inputs)
    };
    assert_eq!(of(Activation::Relu, &[-1.0, 0.0, 2.5]), [0.0, 0.0, 2.5]);
    let close = |found: Vec<f32>, expected: &[f64]| {
        for (found, expected) in found.iter().zip(expected) {
            let error = (f64::from(*found) - expected).abs();
            assert!(error <= expected.abs() * 6e-8, "{found} is not {expected}");
        }
    };
    close(
        of(Activation::Tanh, &[0.5, -1.0, 1e-6, 40.0, -400.0]),
        &[
            0.462_117_157_260_009_76,
            -0.761_594_155_955_764_9,
            1e-6,
            1.0,
            -1.0,
        ],
    );
    close(
        of(Activation::Sigmoid, &[0.0, 1.0, -1.0, 100.0]),
        &[0.5, 0.731_058_578_630_004_9, 0.268_941_421_369_995_1, 1.0],
    );
    close(
        of(Activation::Softmax, &[1.0, 2.0, 3.0]),
        &[
            0.090_030_573_170_380_46,
            0.244_728_471_054_797_65,
            0.665_240_955_774_821_9,
        ],
    );
    close(of(Activation::Softmax, &[1000.0, 1000.0]), &[0.5, 0.5]);
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and nothing in it is unsafe")]
fn many_agents_get_what_one_would_get() {
    let mut seed = 1_u32;
    let mut number = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / 8_388_608.0 - 1.0
    };
    let mut weights = |count: usize| -> Vec<f32> { (0..count).map(|_| number()).collect() };
    let layers = vec![
        layer(Activation::Tanh, 13, &weights(13 * 6)),
        layer(Activation::Sigmoid, 6, &weights(6 * 14)),
        layer(Activation::Softmax, 3, &weights(3 * 7)),
    ];
    let one = network(5, layers);
    let inputs: Vec<Vec<f32>> = (0..64).map(|_| weights(5)).collect();
    for active in [u64::MAX, 1 << 63, 0x8000_0100_0000_0003, (1 << 17) - 1] {
        let mut desk = Desk::new(one.needs(), 64);
        for (lane, inputs) in inputs.iter().enumerate() {
            for (nth, input) in inputs.iter().enumerate() {
                desk.input(nth)[lane] = *input;
            }
        }
        assert_eq!(desk.run(&one, active), active);
        for lane in (0..64).filter(|lane| active >> lane & 1 == 1) {
            let outputs: Vec<f32> = (0..3).map(|nth| desk.output(nth, lane)).collect();
            assert_eq!(outputs, one.run(&inputs[lane]), "lane {lane}");
        }
    }
}

#[test]
fn what_is_not_finite_is_found() {
    let one = network(1, vec![layer(Activation::Tanh, 1, &[0.0, 1.0])]);
    let mut desk = Desk::new(one.needs(), 64);
    desk.input(0)[..4].copy_from_slice(&[1.0, f32::INFINITY, f32::NAN, -1.0]);
    assert_eq!(desk.run(&one, 0b1111), 0b1001);
    let two = network(
        1,
        vec![
            layer(Activation::Identity, 2, &[0.0, 3e38, 0.0, 3e38]),
            layer(Activation::Relu, 1, &[0.0, 1.0, -1.0]),
        ],
    );
    let mut desk = Desk::new(two.needs(), 64);
    desk.input(0)[..2].copy_from_slice(&[1.0, 2.0]);
    assert_eq!(desk.run(&two, 0b11), 0b01);
}

#[test]
fn what_does_not_fit_is_refused() {
    let names = |count: usize| (0..count).map(|nth| format!("o{nth}")).collect();
    let flat =
        |width, inputs: usize| layer(Activation::Relu, width, &vec![0.0; width * (inputs + 1)]);
    let refused = |inputs, outputs, layers| {
        Network::new("n", inputs, names(outputs), layers).expect_err("it does not fit")
    };
    assert_eq!(
        refused(65, 1, vec![flat(1, 65)]),
        "a network has 1 to 64 inputs, not 65"
    );
    assert_eq!(refused(1, 1, vec![]), "a network has 1 to 4 layers, not 0");
    assert_eq!(
        refused(1, 1, vec![flat(257, 1), flat(1, 257)]),
        "a network has 1 to 256 units in a layer, not 257"
    );
    assert_eq!(refused(1, 2, vec![flat(1, 1)]), "2 names for 1 outputs");
    assert_eq!(
        refused(2, 1, vec![flat(1, 1)]),
        "a layer with more or fewer weights than it needs"
    );
    assert_eq!(
        refused(1, 1, vec![layer(Activation::Relu, 1, &[0.0, f32::NAN])]),
        "a weight that is not finite"
    );
}

#[test]
fn other_weights_are_another_network() {
    let of = |weight| network(1, vec![layer(Activation::Relu, 1, &[0.0, weight])]);
    assert_eq!(of(1.0), of(1.0));
    assert_ne!(format!("{:?}", of(1.0)), format!("{:?}", of(1.5)));
    assert!(format!("{:?}", of(1.0)).starts_with("Network(1 1 relu #"));
}

#[test]
fn the_units_of_the_last_layer_are_the_outputs() {
    let hidden = layer(Activation::Tanh, 2, &[0.5, 1.0, -1.0, 0.0, -1.0, 2.0]);
    let last = layer(Activation::Softmax, 2, &[0.0, 1.0, 0.5, 1.0, 0.0, -2.0]);
    let network = network(2, vec![hidden, last]);
    let inputs = [0.25, 0.75];
    let units = network.units(&inputs);
    assert_eq!(units.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    let sums = [0.5 + 0.25 - 0.75, -0.25 + 1.5];
    assert_eq!(units[0], Activation::Tanh.apply(&sums));
    assert_eq!(units[1], network.run(&inputs));
}
