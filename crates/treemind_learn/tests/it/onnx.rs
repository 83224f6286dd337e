//! Models in ONNX, made with the Python package `onnx`; what they give was computed by its reference evaluator.

use treemind_core::{Activation, Network};
use treemind_learn::onnx_weights;

const BRAIN: &[u8] = include_bytes!("../data/brain.onnx");

#[test]
fn a_chain_of_layers_gives_what_the_model_gives() {
    let weights = onnx_weights(BRAIN).expect("a chain");
    let functions: Vec<_> = weights
        .layers
        .iter()
        .map(|layer| layer.activation)
        .collect();
    assert_eq!(
        functions,
        [Activation::Tanh, Activation::Relu, Activation::Softmax]
    );
    assert_eq!(weights.inputs, 3);
    let names = vec!["a".to_owned(), "b".to_owned()];
    let network = Network::new("brain", 3, names, weights.layers).expect("it fits");
    let outputs = network.run(&[0.5, -1.0, 2.0]);
    for (found, expected) in outputs.iter().zip([0.494_542_9, 0.505_457_1]) {
        assert!((found - expected).abs() < 1e-6, "{outputs:?}");
    }
}

#[test]
fn the_first_operator_that_does_not_fit_is_named() {
    let refused = onnx_weights(include_bytes!("../data/conv.onnx")).expect_err("it has a `Conv`");
    assert_eq!(
        refused.to_string(),
        "it has the operator `Conv` (`/features/Conv`)"
    );
}

#[test]
fn no_bytes_do_harm() {
    for end in 0..BRAIN.len() {
        // What follows the graph does not matter.
        let whole = onnx_weights(&BRAIN[..end]).is_ok();
        assert!(!whole || end > BRAIN.len() - 16, "cut off at {end}");
    }
    for place in 0..BRAIN.len() {
        for flip in [1, 0x80, 0xFF] {
            let mut bytes = BRAIN.to_vec();
            bytes[place] ^= flip;
            let _ = onnx_weights(&bytes);
        }
    }
}
