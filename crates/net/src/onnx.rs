//! The network as an ONNX file: in floating point, what it is the quantisation of.
//!
//! For one board size, since a pooled feature depends on it; the batch is free. Inputs are `planes`
//! (`[batch, plane, row, column]`, 0 or 1) and, where the network takes any, `globals` (`[batch, global]`, in
//! ones, not in 1/256). Outputs are `policy` (`[batch, points + 1]`, logits, the last a pass's), `outcome`
//! (`[batch, 3]`, logits of win, draw, loss), `score` (`[batch, 1]`, points) and `ownership`
//! (`[batch, points]`, logits whose tanh is 1 for the side to move's own).

mod graph;
mod messages;

use crate::float::{FloatConv, FloatDense, FloatNetwork};
use crate::network::Network;
use crate::parts::Block;
use graph::Graph;
use messages::ModelProto;
use prost::Message;
use std::ops::Range;

/// The network's ONNX file for boards of `width` x `height` points.
pub fn export(network: &Network, (width, height): (usize, usize)) -> Vec<u8> {
    let about = network.about();
    let words = [
        ("game", about.game.clone()),
        ("encoding", about.encoding.to_string()),
        ("provenance", about.provenance.clone()),
        ("dequantised from", network.digest().to_string()),
    ];
    model(&network.dequantise(), (width, height)).with_words(&words).encode_to_vec()
}

fn model(network: &FloatNetwork, (width, height): (usize, usize)) -> ModelProto {
    let mut graph = Graph::new(width * height);
    let trunk = trunk(&mut graph, network, (width, height));
    heads(&mut graph, network, &trunk);
    graph.end()
}

/// Input layer and blocks; the name of what they give.
fn trunk(graph: &mut Graph, network: &FloatNetwork, (width, height): (usize, usize)) -> String {
    let layers = &network.layers;
    graph.input("planes", &[network.shape.planes, height, width]);
    let planes = conv(graph, &layers.input, 0..layers.input.shape.outputs, "planes");
    let mut sums = planes;
    if network.shape.globals > 0 {
        graph.input("globals", &[network.shape.globals]);
        sums = add_dense(graph, &layers.globals, "globals", &sums);
    }
    let mut trunk = graph.node("Relu", &[&sums]);
    for block in &layers.blocks {
        let inner = inner(graph, block, &trunk);
        let second = conv(graph, &block.second, 0..block.second.shape.outputs, &inner);
        let sums = graph.node("Add", &[&trunk, &second]);
        trunk = graph.node("Relu", &[&sums]);
    }
    trunk
}

fn inner(graph: &mut Graph, block: &Block<FloatConv, FloatDense>, trunk: &str) -> String {
    let Some(pool) = &block.pool else {
        let sums = conv(graph, &block.first, 0..block.first.shape.outputs, trunk);
        return graph.node("Relu", &[&sums]);
    };
    let (pooled, rest, _) = pooled(graph, &block.first, pool, trunk);
    graph.concat(&[&pooled, &rest])
}

/// A convolution of which some channels are pooled for the others: those, the others, the features.
fn pooled(
    graph: &mut Graph,
    layer: &FloatConv,
    pool: &FloatDense,
    from: &str,
) -> (String, String, String) {
    let outputs = layer.shape.outputs;
    let count = outputs - pool.shape.outputs;
    let sums = conv(graph, layer, 0..count, from);
    let pooled = graph.node("Relu", &[&sums]);
    let features = graph.features(&pooled);
    let sums = conv(graph, layer, count..outputs, from);
    let sums = add_dense(graph, pool, &features, &sums);
    let rest = graph.node("Relu", &[&sums]);
    (pooled, rest, features)
}

fn heads(graph: &mut Graph, network: &FloatNetwork, trunk: &str) {
    let layers = &network.layers;
    let (_, rest, features) = pooled(graph, &layers.head, &layers.head_pool, trunk);
    let sums = dense(graph, &layers.hidden, 0..layers.hidden.shape.outputs, &features);
    let hidden = graph.node("Relu", &[&sums]);
    let pass = dense(graph, &layers.last, 0..1, &hidden);
    let policy = conv(graph, &layers.points, 0..1, &rest);
    let policy = graph.node("Flatten", &[&policy]);
    let policy = graph.concat(&[&policy, &pass]);
    graph.output("policy", &policy);
    let outcome = dense(graph, &layers.last, 1..4, &hidden);
    graph.output("outcome", &outcome);
    let score = dense(graph, &layers.last, 4..5, &hidden);
    graph.output("score", &score);
    let ownership = conv(graph, &layers.points, 1..2, &rest);
    let ownership = graph.node("Flatten", &[&ownership]);
    graph.output("ownership", &ownership);
}

/// Some outputs of a convolution.
fn conv(graph: &mut Graph, layer: &FloatConv, outputs: Range<usize>, from: &str) -> String {
    let row = layer.weights.len() / layer.shape.outputs;
    let (inputs, side) = (layer.shape.inputs, layer.shape.side);
    let weights = &layer.weights[outputs.start * row..outputs.end * row];
    let weights = graph.floats(&[outputs.len(), inputs, side, side], weights);
    let bias = graph.floats(&[outputs.len()], &layer.bias[outputs]);
    graph.conv(&[from, &weights, &bias], side)
}

/// Some outputs of a dense layer.
fn dense(graph: &mut Graph, layer: &FloatDense, outputs: Range<usize>, from: &str) -> String {
    let row = layer.shape.inputs;
    let weights = &layer.weights[outputs.start * row..outputs.end * row];
    let weights = graph.floats(&[outputs.len(), row], weights);
    let bias = graph.floats(&[outputs.len()], &layer.bias[outputs]);
    graph.gemm(&[from, &weights, &bias])
}

/// Sums of all points of each channel with a dense layer's output added.
fn add_dense(graph: &mut Graph, layer: &FloatDense, from: &str, sums: &str) -> String {
    let added = dense(graph, layer, 0..layer.shape.outputs, from);
    let added = graph.over_points(&added);
    graph.node("Add", &[sums, &added])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::PLANES;
    use std::collections::HashSet;

    #[test]
    fn every_name_is_made_before_it_is_used_and_once() {
        let network = Network::random(3, 32, "go", 1).unwrap();
        let model = ModelProto::decode(export(&network, (9, 9)).as_slice()).unwrap();
        let graph = model.graph.unwrap();
        let given = graph.initializer.iter().map(|tensor| tensor.name.clone());
        let mut known: HashSet<String> =
            graph.input.iter().map(|value| value.name.clone()).chain(given).collect();
        for node in &graph.node {
            assert!(node.input.iter().all(|name| known.contains(name)), "{node:?}");
            assert!(node.output.iter().all(|name| known.insert(name.clone())), "{node:?}");
        }
        let outputs: Vec<&str> = graph.output.iter().map(|value| value.name.as_str()).collect();
        assert_eq!(outputs, ["policy", "outcome", "score", "ownership"]);
        assert!(outputs.iter().all(|&name| known.contains(name)));
    }

    #[test]
    fn a_tensor_has_the_bytes_of_its_shape() {
        let network = Network::random(3, 32, "go", 1).unwrap();
        let model = ModelProto::decode(export(&network, (9, 9)).as_slice()).unwrap();
        let tensors = model.graph.unwrap().initializer;
        for tensor in &tensors {
            let count: i64 = tensor.dims.iter().product();
            let width = if tensor.data_type == messages::FLOAT { 4 } else { 8 };
            assert_eq!(tensor.raw_data.len() as i64, width * count, "{}", tensor.name);
        }
        assert_eq!(tensors[0].dims, [32, PLANES as i64, 3, 3]);
    }

    #[test]
    fn the_file_says_what_it_was_made_of() {
        let network = Network::random(1, 32, "hex", 1).unwrap();
        let model = ModelProto::decode(export(&network, (11, 11)).as_slice()).unwrap();
        let word = |key: &str| {
            let entry = model.metadata_props.iter().find(|entry| entry.key == key).unwrap();
            entry.value.clone()
        };
        assert_eq!(word("game"), "hex");
        assert_eq!(word("dequantised from"), network.digest().to_string());
    }
}
