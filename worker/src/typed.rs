//! Values as people type them: times, counts, addresses to listen on. Both programs read them alike.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs as _};
use std::time::Duration;

/// Letters after a count, and what they stand for.
const UNITS: [(char, u64); 3] = [('k', 1_000), ('m', 1_000_000), ('g', 1_000_000_000)];

/// No time is as long as this: 31 years and some months, which any clock here can be set ahead by.
const DURATION_END: Duration = Duration::from_secs(1_000_000_000);

/// `10s`, `1m30s`, or a plain number of seconds, below [`DURATION_END`].
///
/// # Errors
/// Says what is no time, and what was expected.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|&seconds| seconds >= 0.0);
    let plain = seconds.map(|seconds| seconds.min(DURATION_END.as_secs_f64()));
    let Some(time) =
        plain.map(Duration::from_secs_f64).or_else(|| humantime::parse_duration(text).ok())
    else {
        return Err(format!("'{text}' is no time: expected one such as 10s, 500ms or 2m"));
    };
    match time < DURATION_END {
        true => Ok(time),
        false => Err(format!("'{text}' is too long: expected a time below 31 years")),
    }
}

/// `1000`, `1_000`, `500k`, `2.5M` or `1G`; at least 1.
///
/// # Errors
/// Says what is no count, and what was expected.
pub fn count(text: &str) -> Result<u64, String> {
    let wrong = || {
        format!(
            "'{text}' is no count: expected a whole number from 1 on, such as 1000, 500k or 10M"
        )
    };
    let plain = text.trim().replace('_', "");
    let unit = plain
        .chars()
        .last()
        .and_then(|last| UNITS.iter().find(|(letter, _)| *letter == last.to_ascii_lowercase()));
    let Some((_, unit)) = unit else {
        return plain.parse().ok().filter(|&count| count > 0).ok_or_else(wrong);
    };
    times(&plain[..plain.len() - 1], *unit).filter(|&count| count > 0).ok_or_else(wrong)
}

/// A decimal number times a unit, exactly; nothing where that is no whole number.
fn times(decimal: &str, unit: u64) -> Option<u64> {
    let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let scale = 10u64.checked_pow(fraction.len().try_into().ok()?)?;
    let digits = format!("{whole}{fraction}").parse::<u64>().ok()?.checked_mul(unit)?;
    (digits % scale == 0).then_some(digits / scale)
}

/// Reads an address to listen on: `ADDR:PORT`; `:PORT` for all of this machine's addresses; a port, for
/// this machine alone; a name or an address, with the usual port.
///
/// - `usual`: the port where none is said.
///
/// The reader's errors say what is no address, and what was expected.
pub fn listening(usual: u16) -> impl Fn(&str) -> Result<SocketAddr, String> + Clone + Send + Sync {
    move |text| address(text.trim(), usual)
}

fn address(text: &str, usual: u16) -> Result<SocketAddr, String> {
    let expected = format!(
        "expected ADDR:PORT such as 0.0.0.0:{usual}, a port of this machine alone such as {usual}, or \
         a name such as localhost"
    );
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if let Ok(address) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
        return Ok((address, usual).into());
    }
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok((Ipv4Addr::LOCALHOST, port(text, text, &expected)?).into());
    }
    let (host, port) = match text.rsplit_once(':') {
        Some((host, digits)) => (host, port(digits, text, &expected)?),
        None => (text, usual),
    };
    match host {
        "" | "*" if text.is_empty() => Err(format!("'' is no address to listen on: {expected}")),
        "" | "*" => Ok((Ipv4Addr::UNSPECIFIED, port).into()),
        host => named(host, port).ok_or_else(|| {
            format!("'{text}' is no address to listen on: there is no machine '{host}': {expected}")
        }),
    }
}

fn port(digits: &str, text: &str, expected: &str) -> Result<u16, String> {
    digits.parse().map_err(|_| {
        format!(
            "'{text}' is no address to listen on: '{digits}' is no port from 0 to 65535: {expected}"
        )
    })
}

/// The address of a name, of the older kind where it has both.
fn named(host: &str, port: u16) -> Option<SocketAddr> {
    let found: Vec<SocketAddr> = (host, port).to_socket_addrs().ok()?.collect();
    found.iter().find(|address| address.is_ipv4()).or(found.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_ends_somewhere() {
        for (typed, ms) in [("10", 10_000), ("0.5", 500), ("1m30s", 90_000), ("0", 0)] {
            assert_eq!(duration(typed), Ok(Duration::from_millis(ms)), "{typed}");
        }
        for typed in ["1e9", "1e300", "18446744073709551615s", "9000years"] {
            let refused = duration(typed).expect_err(typed);
            assert_eq!(refused, format!("'{typed}' is too long: expected a time below 31 years"));
        }
        for typed in ["", "-1", "nan", "ten", "5 parsecs"] {
            let refused = duration(typed).expect_err(typed);
            assert!(refused.starts_with(&format!("'{typed}' is no time: expected")), "{refused}");
        }
    }

    #[test]
    fn counts_may_have_a_unit() {
        for (typed, counted) in [
            ("1", 1),
            ("1000", 1_000),
            ("1_000_000", 1_000_000),
            ("1k", 1_000),
            ("10M", 10_000_000),
            ("2.5m", 2_500_000),
            ("1G", 1_000_000_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(count(typed), Ok(counted), "{typed}");
        }
        for typed in
            ["", "0", "0k", "-1", "k", ".5k", "1.5", "0.0001k", "1x", "1e3", "99999999999G"]
        {
            let refused = count(typed).expect_err(typed);
            assert!(refused.starts_with(&format!("'{typed}' is no count: expected")), "{refused}");
        }
    }

    #[test]
    fn an_address_may_be_a_port_or_a_name() {
        let read = listening(7337);
        for (typed, expected) in [
            ("0.0.0.0:1234", "0.0.0.0:1234"),
            ("7000", "127.0.0.1:7000"),
            (":7000", "0.0.0.0:7000"),
            ("*:7000", "0.0.0.0:7000"),
            ("localhost", "127.0.0.1:7337"),
            ("localhost:1", "127.0.0.1:1"),
            ("10.0.0.1", "10.0.0.1:7337"),
            ("[::1]", "[::1]:7337"),
            ("::1", "[::1]:7337"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(read(typed).map(|it| it.to_string()), Ok(expected.to_owned()), "{typed}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_with_what_was_expected() {
        for typed in ["", ":", "127.0.0.1:99999", "99999", "localhost:http", "no such machine"] {
            let refused = listening(7337)(typed).expect_err(typed);
            let words = format!("'{typed}' is no address to listen on: ");
            assert!(refused.starts_with(&words), "{refused}");
            assert!(refused.contains("expected ADDR:PORT such as 0.0.0.0:7337"), "{refused}");
        }
    }
}
