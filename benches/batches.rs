//! How far the ends of ε are apart, and what they take, on random runs of every way to draw a batch: 30 of up to 10 000 steps each,
//! σ, rates and δ spread evenly on the scale of logarithms. `cargo bench --bench batches` prints them all, and of each scheme the
//! widest and the slowest; `cargo bench --bench batches -- replacement` those of which the name contains a word.

use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::units::{Delta, Neighbouring};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::time::Instant;

const ROWS: u64 = 30;
const RECORDS: u64 = 50_000;
/// Wider answers than that, and slower ones in seconds, are counted.
const AIMS: (f64, f64) = (1e-3, 1.0);

/// Numbers of one row: σ, q, T and δ.
struct Row {
    sigma: f64,
    rate: f64,
    steps: u64,
    delta: f64,
}

impl Row {
    fn new(seed: u64) -> Self {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut between = |low: f64, high: f64| {
            let share: f64 = random.random();
            low * (high / low).powf(share)
        };
        Self {
            sigma: between(0.5, 8.0),
            rate: between(1e-4, 0.3),
            steps: between(1.0, 10_001.0) as u64,
            delta: between(1e-10, 1e-3),
        }
    }

    fn gaussian(&self) -> Box<Event> {
        let (sigma, sensitivity) = (self.sigma, 1.0);
        Box::new(Event::Gaussian { sigma, sensitivity })
    }

    fn batch(&self) -> u64 {
        (self.rate * RECORDS as f64).ceil() as u64
    }

    fn poisson(&self) -> Event {
        let rate = self.rate;
        let event = self.gaussian();
        self.repeated(self.steps, Event::PoissonSampled { rate, event })
    }

    fn fixed(&self, replacement: bool) -> Event {
        let event = Event::FixedSizeSampled {
            size: RECORDS,
            batch: self.batch(),
            replacement,
            event: self.gaussian(),
        };
        self.repeated(self.steps, event)
    }

    fn truncated(&self) -> Event {
        let event = Event::TruncatedPoissonSampled {
            rate: self.rate,
            cap: self.batch() + (2.0 * (self.batch() as f64).sqrt()) as u64,
            records: RECORDS,
            event: self.gaussian(),
        };
        self.repeated(self.steps, event)
    }

    /// As many bins as the rate has steps, and epochs as the steps have.
    fn bins(&self) -> Event {
        let bins = ((1.0 / self.rate) as u64).clamp(2, self.steps.max(2));
        let event = self.gaussian();
        self.repeated(
            self.steps.div_ceil(bins),
            Event::BallsInBins { bins, event },
        )
    }

    fn repeated(&self, times: u64, event: Event) -> Event {
        let event = Box::new(event);
        Event::Repeated { times, event }
    }
}

/// Seconds of processor time so far, of all threads; 0 where the system does not say.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split(' ');
    let ticks = fields.skip(12).take(2);
    ticks.filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn main() {
    use Neighbouring::{AddRemove, ReplaceOne};
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    type Scheme = (&'static str, Neighbouring, fn(&Row) -> Event);
    let schemes: [Scheme; 9] = [
        ("poisson", AddRemove, Row::poisson),
        ("poisson", ReplaceOne, Row::poisson),
        ("fixed size", AddRemove, |row| row.fixed(false)),
        ("fixed size", ReplaceOne, |row| row.fixed(false)),
        ("with replacement", AddRemove, |row| row.fixed(true)),
        ("with replacement", ReplaceOne, |row| row.fixed(true)),
        ("truncated poisson", AddRemove, Row::truncated),
        ("balls in bins", AddRemove, Row::bins),
        ("balls in bins", ReplaceOne, Row::bins),
    ];
    for (scheme, relation, event) in schemes {
        let name = format!("{scheme}, {relation}");
        if wanted
            .as_ref()
            .is_none_or(|word| name.contains(word.as_str()))
        {
            table(&name, relation, event);
        }
    }
}

fn table(name: &str, relation: Neighbouring, event: fn(&Row) -> Event) {
    println!(
        "\n{name}\n{:>8} {:>9} {:>6} {:>8} {:>10} {:>8} {:>7} {:>7} by",
        "sigma", "q", "T", "delta", "epsilon", "width", "s", "cpu s"
    );
    let (mut widths, mut times) = (Vec::new(), Vec::new());
    for seed in 0..ROWS {
        let row = Row::new(seed);
        let delta = Delta::new(row.delta).expect("a delta");
        let event = event(&row);
        let (start, before) = (Instant::now(), processor());
        let found = account(&event, delta, Accountant::Auto, relation, true);
        let (seconds, worked) = (start.elapsed().as_secs_f64(), processor() - before);
        let (most, width, by) = match &found {
            Ok(found) => {
                let (low, high) = (found.epsilon_lower, found.epsilon_upper);
                let width = if high > 0.0 { (high - low) / high } else { 0.0 };
                (high, width, found.method.name())
            }
            Err(_) => (f64::NAN, f64::NAN, "nobody"),
        };
        println!(
            "{:8.3} {:9.2e} {:6} {:8.1e} {most:10.5} {width:8.1e} {seconds:7.2} {worked:7.2} {by}",
            row.sigma, row.rate, row.steps, row.delta
        );
        widths.push(width);
        times.push(seconds);
    }
    // What has no answer is no number, and beyond every aim.
    let beyond =
        |values: &[f64], aim: f64| values.iter().filter(|x| x.is_nan() || **x > aim).count();
    let most = |values: &[f64]| values.iter().fold(0.0, |most: f64, x| most.max(*x));
    println!(
        "widest {:.1e}, {} of {ROWS} above {:.0e}; slowest {:.2} s, {} above {} s",
        most(&widths),
        beyond(&widths, AIMS.0),
        AIMS.0,
        most(&times),
        beyond(&times, AIMS.1),
        AIMS.1
    );
}
