//! A measurement as text: one line a node, the total, and what limits it.

use std::io::{self, Write};

use super::answer::{BenchReport, Node};
use super::spread::Spread;

pub(super) fn print(out: &mut impl Write, answer: &BenchReport) -> io::Result<()> {
    // All of what they do is counted alike, and what judges beside those that play out is named below.
    let all = |of: fn(&Node) -> f64| answer.nodes.iter().map(of).sum::<f64>();
    let evaluations = all(|node| node.evaluations_per_s);
    let (rate, one) = match 2.0 * evaluations > all(|node| node.playouts_per_s) {
        true => ("evals/s", "an evaluation"),
        false => ("playouts/s", "a playout"),
    };
    writeln!(
        out,
        "node             threads {rate:>11}  lowest..highest round     alone  per thread  \
         rtt p50  p99 ms  capacity    work   cpu s    cpu"
    )?;
    for node in &answer.nodes {
        print_node(out, node)?;
    }
    let threads: u32 = answer.nodes.iter().map(|node| node.threads).sum();
    writeln!(
        out,
        "{:<16} {threads:>7} {:>11.0}  {}",
        "total",
        answer.total_playouts_per_s,
        range(answer.spread)
    )?;
    writeln!(out, "\nmedians of {} rounds, {:.1} s together", answer.rounds, answer.seconds)?;
    if let Some(efficiency) = answer.efficiency {
        writeln!(
            out,
            "efficiency: {:.0} % of the sum of what the nodes did alone",
            100.0 * efficiency
        )?;
    }
    writeln!(
        out,
        "coordinator: search thread busy {:.0} %, cluster thread {:.0} %; {:.2} µs of processor time \
         {one}",
        answer.search_thread_busy_percent,
        answer.cluster_busy_percent,
        answer.coordinator_cpu_us_per_playout
    )?;
    for node in &answer.nodes {
        if let Some(fill) = node.batch_fill {
            let by = node.judges_by.as_ref().map_or_else(String::new, |it| format!(" by {it}"));
            let (rate, fill) = (node.evaluations_per_s, 100.0 * fill);
            writeln!(
                out,
                "{} judges{by}: {rate:.0} evaluations/s, its batches are {fill:.0} % full",
                node.name
            )?;
        }
        if let Some(why) = &node.quarantined {
            writeln!(out, "{} was put out, since its tallies are wrong: {why}", node.name)?;
        }
    }
    writeln!(out, "limit: {}", answer.limit)
}

fn print_node(out: &mut impl Write, node: &Node) -> io::Result<()> {
    let alone = node.alone_playouts_per_s.map_or_else(|| "-".to_owned(), |it| format!("{it:.0}"));
    writeln!(
        out,
        "{:<16} {:>7} {:>11.0}  {} {:>9} {:>11.0} {:>8.2} {:>7.2} {:>7.1} % {:>5.1} % {:>7.2} {:>4.0} %",
        node.name,
        node.threads,
        node.playouts_per_s,
        range(node.spread),
        alone,
        node.playouts_per_s_per_thread,
        node.rtt_ms_p50,
        node.rtt_ms_p99,
        100.0 * node.share_of_capacity,
        100.0 * node.share_of_work,
        node.cpu_s,
        node.cpu_percent
    )
}

fn range(spread: Spread) -> String {
    format!("{:>22}", format!("{:.0}..{:.0}", spread.min, spread.max))
}
