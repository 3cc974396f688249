//! Builds an ONNX graph node by node; names are made here.

use super::messages::{
    ATTRIBUTE_INT, ATTRIBUTE_INTS, AttributeProto, Dimension, DimensionProto, FLOAT, GraphProto,
    INT64, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TensorTypeProto, TypeProto, ValueInfoProto,
};

/// A graph being built.
pub struct Graph {
    graph: GraphProto,
    /// Points of the board, count.
    points: usize,
}

impl Graph {
    /// An empty graph for boards of so many points.
    pub fn new(points: usize) -> Graph {
        Graph { graph: GraphProto { name: "banyan".to_owned(), ..GraphProto::default() }, points }
    }

    /// Declares an input of these sizes for each position of a batch.
    pub fn input(&mut self, name: &str, sizes: &[usize]) {
        self.graph.input.push(value(name, Some(sizes)));
    }

    /// Declares what was called `from` an output.
    pub fn output(&mut self, name: &str, from: &str) {
        self.push("Identity", &[from], name, Vec::new());
        self.graph.output.push(value(name, None));
    }

    /// Constants.
    pub fn floats(&mut self, sizes: &[usize], numbers: &[f32]) -> String {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.constants(sizes, FLOAT, bytes)
    }

    fn constants(&mut self, sizes: &[usize], data_type: i32, raw_data: Vec<u8>) -> String {
        let name = format!("constant{}", self.graph.initializer.len());
        let dims = sizes.iter().map(|&size| size as i64).collect();
        self.graph.initializer.push(TensorProto { dims, data_type, name: name.clone(), raw_data });
        name
    }

    /// An operation without settings.
    pub fn node(&mut self, operation: &str, inputs: &[&str]) -> String {
        self.node_with(operation, inputs, Vec::new())
    }

    /// A convolution that keeps the board's size.
    pub fn conv(&mut self, inputs: &[&str], side: usize) -> String {
        let border = (side / 2) as i64;
        let settings =
            vec![ints("pads", vec![border; 4]), ints("kernel_shape", vec![side as i64; 2])];
        self.node_with("Conv", inputs, settings)
    }

    /// A dense layer whose weights have a row for each output.
    pub fn gemm(&mut self, inputs: &[&str]) -> String {
        self.node_with("Gemm", inputs, vec![int("transB", 1)])
    }

    /// Channels after each other.
    pub fn concat(&mut self, inputs: &[&str]) -> String {
        self.node_with("Concat", inputs, vec![int("axis", 1)])
    }

    /// The three pooled features of channels.
    pub fn features(&mut self, channels: &str) -> String {
        let mean = self.node("GlobalAveragePool", &[channels]);
        let mean = self.node("Flatten", &[&mean]);
        let factor = ((self.points as f32).sqrt() - 14.0) / 10.0;
        let factor = self.floats(&[1], &[factor]);
        let by_size = self.node("Mul", &[&mean, &factor]);
        let largest = self.node("GlobalMaxPool", &[channels]);
        let largest = self.node("Flatten", &[&largest]);
        self.concat(&[&mean, &by_size, &largest])
    }

    /// A number for each channel as one that is the same at all points.
    pub fn over_points(&mut self, numbers: &str) -> String {
        let axes = [2i64, 3].into_iter().flat_map(i64::to_le_bytes).collect();
        let axes = self.constants(&[2], INT64, axes);
        self.node("Unsqueeze", &[numbers, &axes])
    }

    /// The whole file.
    pub fn end(self) -> ModelProto {
        ModelProto {
            ir_version: 8,
            producer_name: "banyan".to_owned(),
            graph: Some(self.graph),
            opset_import: vec![OperatorSetIdProto { domain: String::new(), version: 17 }],
            metadata_props: Vec::new(),
        }
    }

    fn node_with(
        &mut self,
        operation: &str,
        inputs: &[&str],
        settings: Vec<AttributeProto>,
    ) -> String {
        let name = format!("node{}", self.graph.node.len());
        self.push(operation, inputs, &name, settings);
        name
    }

    fn push(
        &mut self,
        operation: &str,
        inputs: &[&str],
        name: &str,
        settings: Vec<AttributeProto>,
    ) {
        self.graph.node.push(NodeProto {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![name.to_owned()],
            name: format!("{operation} {name}"),
            op_type: operation.to_owned(),
            attribute: settings,
        });
    }
}

fn int(name: &str, i: i64) -> AttributeProto {
    AttributeProto { name: name.to_owned(), i, r#type: ATTRIBUTE_INT, ints: Vec::new() }
}

fn ints(name: &str, ints: Vec<i64>) -> AttributeProto {
    AttributeProto { name: name.to_owned(), i: 0, r#type: ATTRIBUTE_INTS, ints }
}

/// An input or output with floats: of these sizes for each position, or of whatever comes out.
fn value(name: &str, sizes: Option<&[usize]>) -> ValueInfoProto {
    let dimension = |value| DimensionProto { value: Some(value) };
    let batch = dimension(Dimension::Name("batch".to_owned()));
    let shape = sizes.map(|sizes| {
        let known = sizes.iter().map(|&size| dimension(Dimension::Value(size as i64)));
        TensorShapeProto { dim: [batch].into_iter().chain(known).collect() }
    });
    let tensor_type = Some(TensorTypeProto { elem_type: FLOAT, shape });
    ValueInfoProto { name: name.to_owned(), r#type: Some(TypeProto { tensor_type }) }
}
