//! The two forms of metrics as text: OpenMetrics, and Prometheus' older one for whoever does not ask for
//! that. They differ in how the family of a counter is called and in how the text ends.

use std::fmt::Write as _;

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

use super::{Kind, Labels, Metric};

/// A form of metrics as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// OpenMetrics 1.0.
    Open,
    /// Prometheus' text format 0.0.4.
    Plain,
}

impl Format {
    /// The form that a scraper asks for: OpenMetrics where it names that and does not say that it wants the
    /// other more.
    pub fn asked(headers: &HeaderMap) -> Format {
        let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let (mut open, mut plain) = (0.0, 0.0);
        for range in accepted.flat_map(|value| value.split(',')) {
            let mut parts = range.split(';').map(str::trim);
            let kind = parts.next().unwrap_or_default();
            let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
            let weight = weight.unwrap_or(1.0);
            match kind {
                "application/openmetrics-text" => open = weight.max(open),
                "text/plain" | "text/*" => plain = weight.max(plain),
                _ => {}
            }
        }
        if open > 0.0 && open >= plain { Format::Open } else { Format::Plain }
    }

    /// Returns its name in an answer.
    pub const fn content_type(self) -> &'static str {
        match self {
            Format::Open => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Format::Plain => "text/plain; version=0.0.4; charset=utf-8",
        }
    }

    pub(super) fn write(self, metrics: &[Metric]) -> String {
        let mut text = String::new();
        for Metric { name, help, kind, samples } in metrics {
            let sample_name = match kind {
                Kind::Counter => format!("banyan_{name}_total"),
                Kind::Gauge => format!("banyan_{name}"),
            };
            let family = match self {
                Format::Open => format!("banyan_{name}"),
                Format::Plain => sample_name.clone(),
            };
            let kind = match kind {
                Kind::Counter => "counter",
                Kind::Gauge => "gauge",
            };
            let _ = write!(text, "# HELP {family} {help}\n# TYPE {family} {kind}\n");
            for (labels, value) in samples {
                let _ = writeln!(text, "{sample_name}{} {value}", labelled(labels));
            }
        }
        if self == Format::Open {
            text.push_str("# EOF\n");
        }
        text
    }
}

fn labelled(labels: &Labels) -> String {
    if labels.is_empty() {
        return String::new();
    }
    let label = |(name, value): &(&str, String)| format!("{name}=\"{}\"", escaped(value));
    format!("{{{}}}", labels.iter().map(label).collect::<Vec<_>>().join(","))
}

/// A worker says itself what it is called.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(accept: &str) -> Format {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, accept.parse().expect("a header"));
        Format::asked(&headers)
    }

    #[test]
    fn whoever_asks_for_open_metrics_gets_them_and_others_the_older_form() {
        for (accept, format) in [
            (
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;\
              q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                Format::Open,
            ),
            ("text/plain;version=0.0.4;q=0.6,application/openmetrics-text;q=0.5", Format::Plain),
            ("application/openmetrics-text;q=0", Format::Plain),
            ("text/html,*/*;q=0.8", Format::Plain),
            ("*/*", Format::Plain),
        ] {
            assert_eq!(asked(accept), format, "{accept}");
        }
        assert_eq!(Format::asked(&HeaderMap::new()), Format::Plain);
    }

    #[test]
    fn a_counter_is_named_as_each_form_wants_it() {
        let labels = vec![("worker", "a\"b\\c\nd".to_owned()), ("connection", "7".to_owned())];
        let metrics = [
            super::super::metric("playouts", "Playouts.", Kind::Counter, vec![(labels, 12.5)]),
            super::super::metric("workers", "Workers.", Kind::Gauge, super::super::one(2.0)),
        ];
        let sample = "banyan_playouts_total{worker=\"a\\\"b\\\\c\\nd\",connection=\"7\"} 12.5\n";
        let gauge =
            "# HELP banyan_workers Workers.\n# TYPE banyan_workers gauge\nbanyan_workers 2\n";
        let help = "# HELP banyan_playouts Playouts.\n# TYPE banyan_playouts counter\n";
        assert_eq!(Format::Open.write(&metrics), format!("{help}{sample}{gauge}# EOF\n"));
        let help = "# HELP banyan_playouts_total Playouts.\n# TYPE banyan_playouts_total counter\n";
        assert_eq!(Format::Plain.write(&metrics), format!("{help}{sample}{gauge}"));
    }
}
