//! `banyan slurm`: workers as jobs of a batch system, by the conventions of those who run many.
//!
//! One array of jobs, each one worker. A worker leaves by itself before its time is over, a little earlier
//! or later than others do, and when it is told that it has to make room.

use std::fmt::Write as _;
use std::io::Write;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use banyan_worker::typed::duration;
use clap::Args;

/// A worker is told so long before its job is ended, or a tenth of a short one's time; Slurm may be a minute early.
const NOTICE: Duration = Duration::from_secs(60);

/// A worker leaves by itself so long before the job's time is over, or after four fifths of a short one.
const MARGIN: Duration = Duration::from_secs(300);

/// The shortest job that there is a point in.
const TIME_MIN: Duration = Duration::from_secs(60);

/// Options of `banyan slurm`.
#[derive(Clone, Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["print", "submit"]))]
pub struct SlurmArgs {
    /// Jobs, each one worker.
    #[arg(long, value_name = "N")]
    pub jobs: NonZeroU32,
    /// Threads of each worker, and cores of each job.
    #[arg(long, value_name = "N", default_value = "16")]
    pub threads: NonZeroU32,
    /// The coordinator, as the nodes reach it.
    #[arg(long, env = "BANYAN_JOIN", value_name = "HOST:PORT")]
    pub join: String,
    /// Wall time of a job; its worker leaves five minutes before, of a short one after four fifths of it, having
    /// finished what it held.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1h")]
    pub time: Duration,
    /// Write the job script to standard output.
    #[arg(long)]
    pub print: bool,
    /// Hand the job script to sbatch.
    #[arg(long)]
    pub submit: bool,
    /// Memory of a job.
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    pub memory: String,
    /// The partition.
    #[arg(long, value_name = "NAME")]
    pub partition: Option<String>,
    /// The account.
    #[arg(long, value_name = "NAME")]
    pub account: Option<String>,
    /// A further option of sbatch, several times, such as --option=--constraint=avx512.
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    pub options: Vec<String>,
    /// A further option of each worker, several times, such as --worker-option=--log-format=json.
    #[arg(long = "worker-option", value_name = "OPTION", allow_hyphen_values = true)]
    pub worker_options: Vec<String>,
    /// The worker's program on the nodes.
    #[arg(long, value_name = "FILE", default_value = "banyan-worker")]
    pub worker: String,
    /// The file with the token, as the nodes see it.
    #[arg(long, env = "BANYAN_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// The authority of the coordinator's certificate, as the nodes see it.
    #[arg(long, env = "BANYAN_TLS_CA", value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
}

/// Prints the job script, or submits it.
///
/// # Errors
/// Says what the script cannot hold, or what sbatch said.
pub fn run(args: &SlurmArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let script = script(args)?;
    if args.print {
        return Ok(out.write_all(script.as_bytes())?);
    }
    let mut sbatch = Command::new("sbatch");
    let mut child = sbatch
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context(
            "cannot run sbatch: is this a node of the cluster from which jobs are submitted?",
        )?;
    let mut input = child.stdin.take().expect("piped");
    // A sbatch that does not read to the end says why.
    let _ = input.write_all(script.as_bytes());
    drop(input);
    let said = child.wait_with_output().context("cannot wait for sbatch")?;
    if !said.status.success() {
        bail!("sbatch refused: {}", String::from_utf8_lossy(&said.stderr).trim());
    }
    Ok(out.write_all(&said.stdout)?)
}

/// The job script.
///
/// # Errors
/// Names the value that it cannot hold.
fn script(args: &SlurmArgs) -> anyhow::Result<String> {
    let SlurmArgs { jobs, threads, join, time, memory, partition, account, .. } = args;
    ensure!(*time >= TIME_MIN, "--time {} s: expected a minute or more", time.as_secs());
    ensure!(
        join.rsplit_once(':')
            .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok()),
        "'{join}' is no address: expected HOST:PORT"
    );
    let mut text =
        "#!/bin/sh\n# Written by banyan slurm: workers of a Banyan cluster, one a job.\n"
            .to_owned();
    let mut directive = |option: &str| -> anyhow::Result<()> {
        ensure!(!option.contains('\n'), "'{option}' is no option: it has more than one line");
        let _ = writeln!(text, "#SBATCH {option}");
        Ok(())
    };
    directive("--job-name=banyan-worker")?;
    directive(&format!("--array=1-{jobs}"))?;
    directive("--ntasks=1")?;
    directive(&format!("--cpus-per-task={threads}"))?;
    directive(&format!("--mem={memory}"))?;
    directive(&format!("--time={}", wall(*time)))?;
    directive(&format!("--signal=B:TERM@{}", notice(*time).as_secs()))?;
    directive("--requeue")?;
    directive("--output=banyan-worker-%A_%a.log")?;
    if let Some(partition) = partition {
        directive(&format!("--partition={partition}"))?;
    }
    if let Some(account) = account {
        directive(&format!("--account={account}"))?;
    }
    for option in &args.options {
        directive(option)?;
    }
    text.push_str("\n# In place of the shell, so that the signal reaches it: it then finishes what it holds.\n");
    let _ = writeln!(text, "exec {} \\", quoted(&args.worker));
    let _ = writeln!(text, "    --join {} \\", quoted(join));
    let _ = writeln!(text, "    --threads {threads} --lifetime {}s \\", lifetime(*time).as_secs());
    for (option, file) in [("--token-file", &args.token_file), ("--tls-ca", &args.tls_ca)] {
        if let Some(file) = file {
            let _ = writeln!(text, "    {option} {} \\", quoted(&file.display().to_string()));
        }
    }
    for option in &args.worker_options {
        let _ = writeln!(text, "    {} \\", quoted(option));
    }
    text.push_str("    --name \"$(hostname -s)-${SLURM_ARRAY_TASK_ID:-1}\"\n");
    Ok(text)
}

/// Returns how long before its end a job's worker is told: not before it leaves by itself, as far as that is ours.
fn notice(time: Duration) -> Duration {
    NOTICE.min(time / 10)
}

/// Returns the time for which the worker of a job stays.
fn lifetime(time: Duration) -> Duration {
    time.saturating_sub(MARGIN).max(time * 4 / 5)
}

/// A time as sbatch reads it: `D-HH:MM:SS`.
fn wall(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours) = (seconds / 86_400, seconds / 3_600 % 24);
    format!("{days}-{hours:02}:{:02}:{:02}", seconds / 60 % 60, seconds % 60)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: SlurmArgs,
    }

    fn typed(words: &str) -> Result<SlurmArgs, String> {
        let words = std::iter::once("slurm").chain(words.split_whitespace());
        Cli::try_parse_from(words).map(|cli| cli.args).map_err(|error| error.to_string())
    }

    #[test]
    fn a_job_is_a_worker_that_leaves_before_its_time() {
        let args =
            typed("--jobs 20 --threads 8 --join head:7337 --print --token-file /home/a/token");
        let mut text = Vec::new();
        run(&args.expect("typed well"), &mut text).expect("a script");
        let text = String::from_utf8(text).expect("UTF-8");
        for line in [
            "#SBATCH --array=1-20",
            "#SBATCH --cpus-per-task=8",
            "#SBATCH --time=0-01:00:00",
            "#SBATCH --signal=B:TERM@60",
            "exec banyan-worker \\",
            "    --join head:7337 \\",
            "    --threads 8 --lifetime 3300s \\",
            "    --token-file /home/a/token \\",
        ] {
            assert!(text.lines().any(|it| it == line), "{line}: {text}");
        }
    }

    #[test]
    fn a_script_is_one_that_a_shell_reads() {
        let mut args = typed("--jobs 1 --join head:7337 --print").expect("typed well");
        args.worker = "/opt/it's here/banyan-worker".to_owned();
        args.worker_options = vec!["--model-cache=/tmp/a b".to_owned()];
        let checked =
            Command::new("sh").args(["-n", "-c", &script(&args).expect("a script")]).output();
        let checked = checked.expect("a shell");
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    }

    #[test]
    fn what_is_no_job_is_refused() {
        let neither = typed("--jobs 3 --join a:1").expect_err("neither");
        assert!(neither.contains("<--print|--submit>"), "{neither}");
        assert!(typed("--jobs 0 --join a:1 --print").is_err());
        let refused =
            |words| script(&typed(words).expect("typed well")).expect_err(words).to_string();
        assert!(refused("--jobs 1 --join head --print").contains("expected HOST:PORT"));
        assert!(refused("--jobs 1 --join a:1 --print --time 5s").contains("a minute or more"));
        let mut args = typed("--jobs 1 --join a:1 --print").expect("typed well");
        args.options = vec!["--comment=a\nrm -rf".to_owned()];
        assert!(script(&args).expect_err("two lines").to_string().contains("more than one line"));
    }

    #[test]
    fn a_short_job_keeps_a_fifth_for_its_end() {
        let of = |seconds| lifetime(Duration::from_secs(seconds)).as_secs();
        assert_eq!((of(3_600), of(600), of(60)), (3_300, 480, 48));
        let of = |seconds| notice(Duration::from_secs(seconds)).as_secs();
        assert_eq!((of(3_600), of(300), of(60)), (60, 30, 6));
        for time in (60..5_000).map(Duration::from_secs) {
            assert!(lifetime(time) + notice(time) <= time, "{time:?}");
        }
        assert_eq!(wall(Duration::from_secs(90_061)), "1-01:01:01");
    }
}
