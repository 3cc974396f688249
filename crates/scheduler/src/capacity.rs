//! Speed of a worker as it is seen, and how much it is lent at once.

use std::time::Duration;

use super::origin::Origin;

/// Time by which the window of a worker in this process outlasts its round trip.
///
/// A window must outlast the time that a tally waits in the worker for company. Not more: what is in
/// flight costs strength, and a worker that needs more shows it.
const SLACK_LOCAL: Duration = Duration::from_micros(300);

/// The same of a worker behind a socket.
const SLACK_REMOTE: Duration = Duration::from_micros(400);

/// Less busy time than this says little about speed.
const SAMPLE_MIN: Duration = Duration::from_millis(20);

/// Time over which the rate forgets half of what it knew, about.
const MEMORY: Duration = Duration::from_secs(1);

/// Windows are twice rate times delay: an estimate that is too low by half then still fills the
/// worker, and so mends itself.
const GAIN: f64 = 2.0;

/// The window of a new worker behind a socket follows the best of its samples, until so many with a full window were
/// no better: it was lent little, and can be seen to do no more, so that the window of one that is far away would else
/// double no faster than the rate forgets.
const OPENING_SAMPLES: u32 = 4;

/// A sample is better that is so much more than the best before.
const OPENING_GAIN: f64 = 1.1;

/// The window of a worker that ran out of work although its window was full is so much wider on trial.
const HUNGER_GROWS: f64 = 1.5;

/// Gain of the rate that a wider window needs to stay: less, and what it puts in flight costs more.
const TRIAL_GAIN: f64 = 1.1;

/// Samples of a trial before the one that decides it, and those that the rate of late is a mean of, about.
const TRIAL_SAMPLES: u32 = 4;

/// Samples after a trial that failed until the next: a second at least.
const TRIAL_PAUSE: u32 = 50;

/// A window grows narrower by this after each sample in which its worker did not run out of work.
const HUNGER_FADES: f64 = 0.95;

/// But no wider than this.
const HUNGER_MAX: f64 = 32.0;

/// Trial of a wider window.
#[derive(Clone, Copy, Debug)]
enum Trial {
    /// Not before so many samples.
    Pause { left: u32 },
    /// For so many samples more and the one that decides, against the rate before.
    Running { left: u32, before: f64 },
}

/// A worker that was lent little so far.
#[derive(Clone, Copy, Debug)]
struct Opening {
    /// Playouts per second of its best sample.
    best: f64,
    /// Samples that may yet be no better.
    left: u32,
    /// Playouts and busy time since the best one.
    since: (u64, Duration),
}

impl Opening {
    const NEW: Opening = Opening { best: 0.0, left: OPENING_SAMPLES, since: (0, Duration::ZERO) };
}

/// Playouts per second of one worker, measured while it had work, and the window that follows.
#[derive(Clone, Debug)]
pub struct Capacity {
    /// Playouts per second; 0 until measured.
    rate: f64,
    /// Smoothed round trip of pings.
    round_trip: Duration,
    origin: Origin,
    /// Time by which the window outlasts the worker's round trip.
    slack: Duration,
    /// Factor by which the window is wider than rate and delay have it, at least 1. On a machine whose cores are all
    /// busy a batch passes more threads than a ping does, and each waits for its turn.
    hunger: f64,
    /// The beginning, until the window follows the rate.
    opening: Option<Opening>,
    /// Moving mean of the rate over the last few samples; 0 until measured.
    lately: f64,
    trial: Trial,
    /// The window was full since the worker last had nothing to do.
    filled: bool,
    /// The worker ran out of work after that, since the last sample.
    starved: bool,
    /// The window was full at some time since the last sample.
    was_full: bool,
    /// Until when the worker's busy time is counted; nothing while it is idle.
    counted_to: Option<Duration>,
    /// Busy time since the last sample, pauses left out.
    busy: Duration,
    /// Playouts that came back in that time.
    returned: u64,
}

impl Capacity {
    /// Nothing known yet.
    pub fn new(origin: Origin) -> Capacity {
        let slack = match origin {
            Origin::Local | Origin::StandIn => SLACK_LOCAL,
            Origin::Remote | Origin::Suspect => SLACK_REMOTE,
        };
        Capacity {
            origin,
            rate: 0.0,
            round_trip: Duration::ZERO,
            slack,
            hunger: 1.0,
            opening: match origin {
                Origin::Local | Origin::StandIn => None,
                Origin::Remote | Origin::Suspect => Some(Opening::NEW),
            },
            was_full: false,
            lately: 0.0,
            trial: Trial::Pause { left: 0 },
            filled: false,
            starved: false,
            counted_to: None,
            busy: Duration::ZERO,
            returned: 0,
        }
    }

    /// Playouts per second; 0 until measured.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Returns the worker's place.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The worker has work from now on.
    ///
    /// - `full`: as much as its window holds.
    pub fn starts(&mut self, now: Duration, full: bool) {
        self.counted_to.get_or_insert(now);
        self.filled |= full;
        self.was_full |= full;
    }

    /// So many playouts came back; `idle` when the worker has none left.
    pub fn returns(&mut self, now: Duration, playouts: u32, idle: bool) {
        let Some(counted_to) = self.counted_to else { return };
        if idle {
            self.starved |= std::mem::take(&mut self.filled);
        }
        self.busy += now.saturating_sub(counted_to);
        self.returned += u64::from(playouts);
        self.counted_to = (!idle).then_some(now);
        // What was lent to a new worker comes back after a round trip, all at once.
        let opening = self.opening.map_or(Duration::ZERO, |_| self.round_trip);
        if self.busy >= SAMPLE_MIN.max(opening) {
            self.sample(self.returned, self.busy);
            self.busy = Duration::ZERO;
            self.returned = 0;
        }
    }

    /// The worker has nothing left to do, and gave nothing back: what it was lent was called off, or is overdue.
    pub fn rests(&mut self) {
        self.counted_to = None;
        self.filled = false;
    }

    /// A ping came back.
    pub fn round_trip(&mut self, sample: Duration) {
        let known = if self.round_trip.is_zero() { sample } else { self.round_trip };
        self.round_trip = (known * 7 + sample) / 8;
    }

    /// The process was stopped for `gap`.
    pub fn shift(&mut self, gap: Duration) {
        self.counted_to = self.counted_to.map(|counted_to| counted_to + gap);
    }

    /// Playouts that may be in flight to the worker: 2 · rate · delay, at least two batches a thread, and
    /// that times the worker's hunger.
    ///
    /// The delay is the round trip and the slack. For threads of this process it is the slack alone: a
    /// thread that waits for its turn on a busy machine is served no sooner by more.
    pub fn window(&self, threads: u32, batch_playouts: u32) -> u32 {
        let floor = f64::from(2 * threads) * f64::from(batch_playouts);
        let rate = self.opening.map_or(self.rate, |opening| opening.best.max(self.rate));
        let lasting = |delay: Duration| (GAIN * rate * delay.as_secs_f64()).max(floor);
        let window = match self.origin {
            Origin::Local | Origin::StandIn => lasting(self.slack),
            Origin::Remote | Origin::Suspect => {
                (self.hunger * lasting(self.round_trip + self.slack)).min(lasting(MEMORY))
            }
        };
        window.min(1e9) as u32
    }

    fn sample(&mut self, returned: u64, lasted: Duration) {
        let rate = returned as f64 / lasted.as_secs_f64();
        let share = if self.lately == 0.0 { 1.0 } else { 1.0 / f64::from(TRIAL_SAMPLES) };
        self.lately += share * (rate - self.lately);
        let starved = std::mem::take(&mut self.starved);
        self.hunger = self.hungry(starved).clamp(1.0, HUNGER_MAX);
        let was_full = std::mem::take(&mut self.was_full);
        if self.rate == 0.0 {
            self.rate = rate;
        } else {
            let (lasted, memory) = (lasted.as_secs_f64(), MEMORY.as_secs_f64());
            self.rate += lasted / (lasted + memory) * (rate - self.rate);
        }
        if let Some(opening) = &mut self.opening {
            if rate > OPENING_GAIN * opening.best {
                *opening = Opening { best: rate, ..Opening::NEW };
                return;
            }
            opening.since = (opening.since.0 + returned, opening.since.1 + lasted);
            opening.left -= u32::from(was_full);
            if opening.left == 0 {
                // Of single samples the best may be far too high where long batches come back now and then.
                self.rate = opening.since.0 as f64 / opening.since.1.as_secs_f64();
                self.opening = None;
            }
        }
    }

    /// The worker's hunger after a sample.
    ///
    /// On a machine whose cores are all busy a worker runs out of work whatever it is lent, and a wider
    /// window only makes news older: so it is tried, and taken back unless the rate follows.
    fn hungry(&mut self, starved: bool) -> f64 {
        match &mut self.trial {
            Trial::Running { left: left @ 1.., .. } => *left -= 1,
            &mut Trial::Running { before, .. } => {
                let gains = self.lately >= TRIAL_GAIN * before;
                self.trial = Trial::Pause { left: if gains { 0 } else { TRIAL_PAUSE } };
                if !gains {
                    return self.hunger / HUNGER_GROWS;
                }
            }
            Trial::Pause { left: 0 } if starved => {
                self.trial = Trial::Running { left: TRIAL_SAMPLES, before: self.lately };
                return self.hunger * HUNGER_GROWS;
            }
            Trial::Pause { left } => {
                *left = left.saturating_sub(1);
                if !starved {
                    return self.hunger * HUNGER_FADES;
                }
            }
        }
        self.hunger
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn the_window_is_twice_rate_times_delay_and_never_below_two_batches_a_thread() {
        let mut capacity = Capacity { slack: 4 * MS, ..Capacity::new(Origin::Remote) };
        assert_eq!(capacity.window(3, 8), 48);
        capacity.starts(Duration::ZERO, false);
        capacity.returns(5 * MS, 50, false);
        capacity.returns(100 * MS, 950, false);
        capacity.round_trip(6 * MS);
        assert_eq!(capacity.rate(), 10_000.0);
        // 2 × 10,000/s × (6 + 4) ms.
        assert_eq!(capacity.window(3, 8), 200);
    }

    /// On a machine whose cores are all busy nothing is gained by more in flight.
    #[test]
    fn a_wider_window_that_makes_nothing_faster_is_taken_back() {
        let rate = 20_000.0;
        let mut capacity = Capacity::new(Origin::Remote);
        let mut now = Duration::ZERO;
        let mut windows = Vec::new();
        for _ in 0..500 {
            capacity.round_trip(MS);
            let window = capacity.window(1, 1);
            windows.push(window);
            capacity.starts(now, true);
            now += Duration::from_secs_f64(f64::from(window) / rate);
            capacity.returns(now, window, true);
        }
        // 2 × 20,000/s × (1 + 0.4) ms, and half as much again while it is tried.
        let (narrow, wide) = (56, 84);
        let known = &windows[50..];
        assert!(known.iter().all(|&window| window <= wide + 1), "{known:?}");
        let tried = known.iter().filter(|&&window| window > narrow + 1).count();
        assert!(tried > 0 && tried < known.len() / 2, "{tried} of {}", known.len());
    }

    /// A worker of 100,000 playouts/s on a crowded machine, where a batch takes 30 ms there and back while
    /// a ping takes one.
    fn crowded() -> (Capacity, Duration) {
        let (rate, took) = (100_000.0, 30 * MS);
        let mut capacity = Capacity::new(Origin::Remote);
        let mut now = Duration::ZERO;
        for _ in 0..200 {
            capacity.round_trip(MS);
            let window = capacity.window(1, 8);
            capacity.starts(now, true);
            now += took + Duration::from_secs_f64(f64::from(window) / rate);
            capacity.returns(now, window, true);
        }
        (capacity, now)
    }

    #[test]
    fn a_worker_whose_threads_wait_for_their_turn_is_filled() {
        let (capacity, _) = crowded();
        // What it would make in 30 ms.
        assert!(capacity.window(1, 8) > 2_700, "{}", capacity.window(1, 8));
    }

    #[test]
    fn who_has_enough_of_a_wider_window_gets_a_narrower_one() {
        let (mut capacity, now) = crowded();
        for sample in 0..200 {
            capacity.starts(now + sample * 100 * MS, true);
            capacity.returns(now + (sample + 1) * 100 * MS, 10_000, false);
        }
        // 2 × 100,000/s × (1 + 0.4) ms.
        assert!((278..=280).contains(&capacity.window(1, 8)), "{}", capacity.window(1, 8));
    }

    #[test]
    fn a_thread_of_this_process_is_lent_little_however_late_it_answers() {
        let mut capacity = Capacity::new(Origin::Local);
        capacity.round_trip(50 * MS);
        capacity.starts(Duration::ZERO, true);
        capacity.returns(100 * MS, 2_000, false);
        // 2 × 20,000/s × 0.3 ms, less what is lost by rounding down.
        assert!((11..=12).contains(&capacity.window(1, 1)));
        assert_eq!(capacity.window(1, 32), 64);
    }

    #[test]
    fn who_runs_out_of_a_window_that_was_not_full_is_lent_no_more_at_once() {
        let mut capacity = Capacity { slack: 4 * MS, ..Capacity::new(Origin::Remote) };
        for tenth in 0..10 {
            capacity.starts(tenth * 100 * MS, false);
            capacity.returns((tenth + 1) * 100 * MS, 1_000, true);
            // 2 × 10,000/s × 4 ms.
            assert_eq!(capacity.window(1, 8), 80);
        }
    }

    #[test]
    fn a_pause_after_what_was_called_off_is_no_busy_time() {
        let mut capacity = Capacity::new(Origin::Remote);
        capacity.starts(Duration::ZERO, true);
        capacity.returns(100 * MS, 1_000, false);
        capacity.rests();
        capacity.starts(60_000 * MS, true);
        capacity.returns(60_100 * MS, 1_000, true);
        assert_eq!(capacity.rate(), 10_000.0);
    }

    /// A worker of 100,000 playouts/s behind 50 ms: the window starts far too small, so that the rate
    /// is measured far too low, and must find its way up: by doubling, each answer a batch more in flight.
    #[test]
    fn the_window_of_a_new_worker_far_away_doubles_with_every_second_round_trip() {
        let (rate, round_trip) = (100_000.0, 50 * MS);
        let mut capacity = Capacity::new(Origin::Remote);
        capacity.round_trip(round_trip);
        let (mut now, mut in_flight) = (Duration::ZERO, capacity.window(1, 8));
        capacity.starts(now, true);
        let mut grown = Vec::new();
        for _ in 0..20 {
            // What is in flight comes back in one go, and for each batch of it others are lent.
            let came = in_flight;
            now += round_trip.max(Duration::from_secs_f64(f64::from(came) / rate));
            for _ in 0..came / 8 {
                capacity.returns(now, 8, false);
                capacity.starts(now, true);
            }
            in_flight = capacity.window(1, 8);
            grown.push(in_flight);
        }
        let filled = 0.9 * rate * round_trip.as_secs_f64();
        let at = grown.iter().position(|&window| f64::from(window) > filled).expect("filled");
        assert!(at <= 18, "{grown:?}");
        assert!(f64::from(grown[19]) < 2.5 * rate * round_trip.as_secs_f64(), "{grown:?}");
    }

    /// A worker of 100,000 playouts/s behind 50 ms whose window is far too small once its beginning is over, so that
    /// the rate is measured far too low: it must find its way up.
    #[test]
    fn an_estimate_that_starts_too_low_mends_itself() {
        let (rate, round_trip) = (100_000.0, 50 * MS);
        let mut capacity = Capacity { opening: None, ..Capacity::new(Origin::Remote) };
        capacity.round_trip(round_trip);
        let mut now = Duration::ZERO;
        for _ in 0..200 {
            let window = capacity.window(1, 8);
            capacity.starts(now, true);
            now += round_trip + Duration::from_secs_f64(f64::from(window) / rate);
            capacity.returns(now, window, true);
        }
        assert!(f64::from(capacity.window(1, 8)) > 0.9 * rate * round_trip.as_secs_f64());
    }

    /// Samples of 100 ms each; the rate after each, and whether the beginning is over.
    fn sampled(capacity: &mut Capacity, full: bool, samples: &[u32]) -> (f64, bool) {
        let mut now = capacity.counted_to.unwrap_or_default();
        for &playouts in samples {
            capacity.starts(now, full);
            now += 100 * MS;
            capacity.returns(now, playouts, false);
        }
        (capacity.rate(), capacity.opening.is_none())
    }

    #[test]
    fn the_beginning_is_over_when_samples_of_a_full_window_are_no_better() {
        let mut capacity = Capacity::new(Origin::Remote);
        assert!(!sampled(&mut capacity, true, &[100, 1_000, 2_000]).1);
        assert!(!sampled(&mut capacity, false, &[1_900; 20]).1, "it was lent no more");
        let best = capacity.window(1, 1);
        assert!(!sampled(&mut capacity, true, &[1_900; 3]).1);
        assert_eq!(capacity.window(1, 1), best);
        let (rate, is_over) = sampled(&mut capacity, true, &[1_900]);
        assert!(is_over && (rate - 19_000.0).abs() < 1.0, "{rate}");
        let (slower, _) = sampled(&mut capacity, true, &[500]);
        assert!((17_000.0..19_000.0).contains(&slower), "a moving mean from here: {slower}");
    }

    /// Two threads of 1,000 playouts/s each whose batches of 80 playouts come back 80 ms apart, the second thread's
    /// soon after the first's.
    #[test]
    fn long_batches_of_several_threads_are_not_taken_for_speed() {
        let mut capacity = Capacity::new(Origin::Remote);
        capacity.round_trip(MS);
        capacity.starts(Duration::ZERO, true);
        for batch in 1..40 {
            for late in [0, 21] {
                capacity.returns(batch * 80 * MS + late * MS, 80, false);
                capacity.starts(batch * 80 * MS + late * MS, true);
                assert!(capacity.rate() < 2_600.0, "{} after {batch} batches", capacity.rate());
            }
        }
        assert!(capacity.opening.is_none() && capacity.rate() > 1_600.0, "{}", capacity.rate());
    }
}
