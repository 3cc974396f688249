//! Spans for OpenTelemetry: those that are made for [`TRACES`], in programs built with the feature `otel`.
//!
//! The variables are those of its specification: `OTEL_EXPORTER_OTLP_ENDPOINT` (or
//! `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`) names a collector, and nothing is exported without; `OTEL_SERVICE_NAME`,
//! `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER` and the others that its library reads hold as well.

/// Target of the spans that a collector gets, all of level `TRACE`.
pub const TRACES: &str = "banyan::traces";

/// Any of them names a collector.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// The variable that names a collector, and which.
fn endpoint() -> Option<(&'static str, String)> {
    let said = |name| Some((name, std::env::var(name).ok().filter(|value| !value.is_empty())?));
    let is_disabled =
        std::env::var("OTEL_SDK_DISABLED").is_ok_and(|it| it.eq_ignore_ascii_case("true"));
    ENDPOINTS.into_iter().find_map(said).filter(|_| !is_disabled)
}

#[cfg(feature = "otel")]
pub use exporting::Exporter;

#[cfg(not(feature = "otel"))]
pub use silent::Exporter;

#[cfg(not(feature = "otel"))]
mod silent {
    use tracing::Subscriber;
    use tracing_subscriber::Layer;
    use tracing_subscriber::layer::Identity;

    /// Exports nothing: this program was built without.
    #[derive(Debug)]
    pub struct Exporter(());

    impl Exporter {
        pub(crate) fn begin() -> Exporter {
            Exporter(())
        }

        /// None at all: one that does nothing would have libraries make their spans.
        pub(crate) fn layer<S: Subscriber>(&self) -> Option<impl Layer<S> + use<S>> {
            None::<Identity>
        }

        pub(crate) fn say_what_is_missing(&self) {
            if let Some((name, _)) = super::endpoint() {
                tracing::warn!("{name} is set, but this program was built without --features otel");
            }
        }
    }
}

#[cfg(feature = "otel")]
mod exporting {
    use std::time::Duration;

    use opentelemetry::trace::TracerProvider as _;
    use opentelemetry_otlp::SpanExporter;
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tokio::runtime::{self, Runtime};
    use tracing::Subscriber;
    use tracing_subscriber::Layer;
    use tracing_subscriber::filter::{LevelFilter, Targets};
    use tracing_subscriber::registry::LookupSpan;

    /// A collector that does not answer holds the end of the program back for so long.
    const LAST_WORDS_MAX: Duration = Duration::from_secs(2);

    /// Exports spans to the collector, if one is named, until it is dropped.
    #[derive(Debug)]
    pub struct Exporter(Result<Option<Running>, String>);

    #[derive(Debug)]
    struct Running {
        provider: SdkTracerProvider,
        /// The way to the collector; after the provider, whose last spans go there.
        _runtime: Runtime,
    }

    impl Exporter {
        pub(crate) fn begin() -> Exporter {
            Exporter(
                super::endpoint().map(|(name, value)| Running::begin(name, &value)).transpose(),
            )
        }

        pub(crate) fn layer<S>(&self) -> Option<impl Layer<S> + use<S>>
        where
            S: Subscriber + for<'a> LookupSpan<'a>,
        {
            let tracer = self.0.as_ref().ok()?.as_ref()?.provider.tracer("banyan");
            let layer = tracing_opentelemetry::layer()
                .with_tracer(tracer)
                .with_location(false)
                .with_threads(false)
                .with_target(false)
                .with_tracked_inactivity(false);
            Some(layer.with_filter(Targets::new().with_target(super::TRACES, LevelFilter::TRACE)))
        }

        pub(crate) fn say_what_is_missing(&self) {
            if let Err(why) = &self.0 {
                tracing::warn!("no traces are exported: {why}");
            }
        }
    }

    impl Running {
        fn begin(name: &str, value: &str) -> Result<Running, String> {
            let wrong = |error: &dyn std::fmt::Display| {
                format!(
                    "{name}={value}: {error}: expected a collector's gRPC address, as http://localhost:4317"
                )
            };
            if !["http://", "https://"].iter().any(|scheme| value.starts_with(scheme)) {
                return Err(wrong(&"no http:// or https:// before it"));
            }
            let runtime = runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name("traces")
                .enable_all()
                .build()
                .map_err(|error| wrong(&error))?;
            let inside = runtime.enter();
            let exporter =
                SpanExporter::builder().with_tonic().build().map_err(|error| wrong(&error))?;
            let resource = Resource::builder();
            let resource = match std::env::var_os("OTEL_SERVICE_NAME") {
                Some(_) => resource,
                None => resource.with_service_name("banyan"),
            };
            let provider = SdkTracerProvider::builder()
                .with_batch_exporter(exporter)
                .with_resource(resource.build())
                .build();
            drop(inside);
            Ok(Running { provider, _runtime: runtime })
        }
    }

    impl Drop for Exporter {
        fn drop(&mut self) {
            if let Ok(Some(running)) = &self.0
                && let Err(error) = running.provider.shutdown_with_timeout(LAST_WORDS_MAX)
            {
                tracing::warn!("the last traces were not exported: {error}");
            }
        }
    }
}
