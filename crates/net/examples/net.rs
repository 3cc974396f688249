//! Makes networks of chance weights, their files, and says how fast they are evaluated here.
//!
//! ```text
//! cargo run --release -p banyan-net --example net -- random 6 48 1 net.safetensors
//! cargo run --release -p banyan-net --example net -- onnx net.safetensors 9 net.onnx
//! cargo run --release -p banyan-net --example net -- outputs net.safetensors 9 1000 outputs.safetensors
//! cargo run --release -p banyan-net --example net -- speed net.safetensors 9 8
//! ```
#![allow(clippy::print_stdout)]

use banyan_net::random::Sample;
use banyan_net::{Evaluator, Input, Network, Scratch, Vectors, onnx, test_vector};
use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::path::Path;

/// Rounds of which the median counts, and processor seconds in each.
const ROUNDS: (usize, f64) = (9, 0.2);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments.as_slice() {
        ["random", blocks, channels, seed, to] => {
            let network = Network::random(blocks.parse()?, channels.parse()?, "go", seed.parse()?)?;
            std::fs::write(to, network.write()?)?;
            println!("{}", network.digest());
        }
        ["onnx", from, side, to] => {
            let side = side.parse()?;
            std::fs::write(to, onnx::export(&load(from)?, (side, side)))?;
        }
        ["outputs", from, side, count, to] => {
            let network = load(from)?;
            let samples = samples(&network, side, count)?;
            let inputs: Vec<Input<'_>> = samples.iter().map(Sample::input).collect();
            std::fs::write(to, test_vector::write(&network, &inputs)?)?;
        }
        ["speed", from, side, batch] => {
            let network = load(from)?;
            let samples = samples(&network, side, batch)?;
            Vectors::all().try_for_each(|vectors| speed(&network, vectors, &samples))?;
        }
        _ => {
            return Err("random BLOCKS CHANNELS SEED TO | onnx FROM SIDE TO | \
             outputs FROM SIDE COUNT TO | speed FROM SIDE BATCH"
                .into());
        }
    }
    Ok(())
}

fn load(path: &str) -> Result<Network, Box<dyn Error>> {
    Ok(Network::load(Path::new(path))?)
}

fn samples(network: &Network, side: &str, count: &str) -> Result<Vec<Sample>, Box<dyn Error>> {
    let side = side.parse()?;
    Ok(Sample::draw(network.shape(), (side, side), count.parse()?, 1))
}

/// Prints evaluations per second of processor time: median and largest of some rounds.
fn speed(network: &Network, vectors: Vectors, samples: &[Sample]) -> Result<(), Box<dyn Error>> {
    let evaluator = Evaluator::new(network, vectors);
    let inputs: Vec<Input<'_>> = samples.iter().map(Sample::input).collect();
    let (mut scratch, mut outputs) = (Scratch::default(), Vec::new());
    let mut rates = Vec::new();
    for _ in 0..ROUNDS.0 {
        let (start, mut count) = (processor_seconds(), 0);
        while processor_seconds() - start < ROUNDS.1 {
            evaluator.evaluate(&mut scratch, &inputs, &mut outputs)?;
            count += inputs.len();
        }
        rates.push(count as f64 / (processor_seconds() - start));
    }
    rates.sort_by(f64::total_cmp);
    let (median, most) = (rates[ROUNDS.0 / 2], rates[ROUNDS.0 - 1]);
    println!("{}: {median:.0} evaluations/s, at most {most:.0}", vectors.name());
    Ok(())
}

fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
