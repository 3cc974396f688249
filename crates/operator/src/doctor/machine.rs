//! The machine as its system describes it: cores, features, memory, limits, clock.

use std::fs;

use rustix::process::{Resource, getrlimit};

use super::finding::Finding;

/// Fewer descriptors hold a few hundred workers and front ends.
const DESCRIPTORS_MIN: u64 = 4096;

/// A tree has this much memory unless told otherwise, bytes.
const TREE_BYTES: u64 = 1 << 30;

/// Looks at all of it.
pub(super) fn look() -> Vec<Finding> {
    let mut findings = vec![cores(), vectors()];
    findings.extend(load());
    findings.extend(memory());
    findings.push(descriptors());
    findings.extend(clock());
    findings
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

fn cores() -> Finding {
    let usable = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let info = read("/proc/cpuinfo").unwrap_or_default();
    let installed = info.lines().filter(|line| line.starts_with("processor")).count().max(usable);
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or("a processor without a name", |(_, name)| name);
    let words = format!("{name}: {usable} of {installed} cores may be used");
    match usable < installed {
        false => Finding::good(words),
        true => Finding::slow(
            words,
            "a container's limit or taskset keeps the others away; --threads follows what may be used",
        ),
    }
}

/// Vectors that playouts and networks are compiled for.
#[cfg(target_arch = "x86_64")]
fn vectors() -> Finding {
    let has = [
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("AVX-512", is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")),
        ("AVX-512 VNNI", is_x86_feature_detected!("avx512vnni")),
    ];
    let names: Vec<&str> = has.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
    match names.is_empty() {
        false => Finding::good(format!("vectors: {}", names.join(", "))),
        true => Finding::slow(
            "vectors: neither AVX2 nor AVX-512",
            "uniform playouts take two to four times as long here, networks more than twenty times; heavy playouts hardly longer",
        ),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn vectors() -> Finding {
    Finding::good(format!("vectors: as compiled for {}", std::env::consts::ARCH))
}

/// Finds what else runs here.
fn load() -> Option<Finding> {
    let text = read("/proc/loadavg")?;
    let load: f64 = text.split_whitespace().next()?.parse().ok()?;
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get()) as f64;
    let words = format!("load of the last minute: {load:.1} on {cores} cores");
    Some(match load > 0.5 * cores {
        false => Finding::good(words),
        true => {
            Finding::slow(words, "something else runs here: what it takes, playouts do not get")
        }
    })
}

fn memory() -> Option<Finding> {
    let text = read("/proc/meminfo")?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    let bytes = kib << 10;
    let limit = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
    let bytes = limit.map_or(bytes, |limit: u64| limit.min(bytes));
    let words = format!("memory: {:.1} GiB may be used", bytes as f64 / (1u64 << 30) as f64);
    Some(match bytes < 2 * TREE_BYTES {
        false => Finding::good(words),
        true => Finding::slow(
            words,
            "a coordinator's tree takes up to 1 GiB: give it less with --tree-memory",
        ),
    })
}

fn descriptors() -> Finding {
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(u64::MAX);
    match most >= DESCRIPTORS_MIN {
        true => Finding::good(match limit.maximum {
            Some(most) => format!("descriptors: up to {most}"),
            None => "descriptors: as many as there are".to_owned(),
        }),
        false => Finding::slow(
            format!("descriptors: at most {most}"),
            "a coordinator holds one for each worker and front end: raise LimitNOFILE or ulimit -Hn",
        ),
    }
}

fn clock() -> Option<Finding> {
    let name = read("/sys/devices/system/clocksource/clocksource0/current_clocksource")?;
    let name = name.trim();
    let is_fast = ["tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page"];
    let words = format!("clock: {name}");
    Some(match is_fast.contains(&name) {
        true => Finding::good(words),
        false => Finding::slow(
            words,
            "asking for the time is slow with this one: see the kernel's clocksource",
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_described_and_nothing_of_it_fails() {
        let findings = look();
        assert!(findings.len() >= 3, "{findings:?}");
        assert!(findings.iter().all(|finding| !finding.is_failure()), "{findings:?}");
        assert!(findings[0].to_string().contains("cores may be used"));
    }
}
