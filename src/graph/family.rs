//! The standard graphs, and how they are written: `ring:16`, `torus:4x4`, `regular:100:4:7`.
//!
//! ```
//! use dp_assay::graph::Graph;
//!
//! let torus: Graph = "torus:4x4".parse()?;
//! assert_eq!((torus.n(), torus.min_degree(), torus.max_degree()), (16, 4, 4));
//! assert_eq!(Graph::ring(5)?.edge_count(), 5);
//! assert_eq!(Graph::path(5)?.edge_count(), 4);
//! assert_eq!(Graph::star(5)?.degree(0), 4);
//! assert_eq!(Graph::complete(5)?.edge_count(), 10);
//! assert_eq!(Graph::hypercube(3)?.n(), 8);
//! assert_eq!(Graph::random_regular(10, 3, 1)?.edge_count(), 15);
//! assert_eq!(Graph::erdos_renyi(10, 0.5, 1)?, Graph::erdos_renyi(10, 0.5, 1)?);
//! assert!("ring:2".parse::<Graph>().is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{Graph, GraphError, VERTICES_MAX, edge_list};
use crate::mechanism::tape::{Purpose, Stream, Tape};
use std::str::FromStr;

/// Every form that [`Graph::from_str`] reads.
pub const FORMS: &str = "ring:N, path:N, star:N, complete:N, torus:RxC, hypercube:DIMENSION, \
     erdos-renyi:N:PROBABILITY:SEED, regular:N:DEGREE:SEED, file:PATH";

/// Largest dimension of a hypercube.
const DIMENSION_MAX: usize = 20;
/// Attempts at pairing all the half-edges of a random regular graph.
const PAIRINGS_MAX: u64 = 1000;

impl Graph {
    /// The cycle on n ≥ 3 vertices.
    ///
    /// # Errors
    /// n < 3.
    pub fn ring(n: usize) -> Result<Self, GraphError> {
        at_least("ring", "number of vertices", n, 3)?;
        vertices(n)?;
        let edges: Vec<_> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        Ok(Self::new(n, &edges)?.vertex_transitive())
    }

    /// The path on n ≥ 1 vertices, in order.
    ///
    /// # Errors
    /// n = 0.
    pub fn path(n: usize) -> Result<Self, GraphError> {
        vertices(n)?;
        let edges: Vec<_> = (1..n).map(|i| (i - 1, i)).collect();
        Self::new(n, &edges)
    }

    /// The star on n ≥ 1 vertices: vertex 0 joined to all others.
    ///
    /// # Errors
    /// n = 0.
    pub fn star(n: usize) -> Result<Self, GraphError> {
        vertices(n)?;
        let edges: Vec<_> = (1..n).map(|i| (0, i)).collect();
        Self::new(n, &edges)
    }

    /// The complete graph on n ≥ 1 vertices.
    ///
    /// # Errors
    /// n = 0, or more than 10⁸ edges.
    pub fn complete(n: usize) -> Result<Self, GraphError> {
        parameter(
            n < 10_000,
            "complete",
            "number of vertices",
            n as f64,
            "must be below 10000",
        )?;
        let edges: Vec<_> = (0..n).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
        Ok(Self::new(n, &edges)?.vertex_transitive())
    }

    /// The r × c torus, r, c ≥ 3; vertex a·c + b is at row a and column b.
    ///
    /// # Errors
    /// r or c below 3.
    pub fn torus(r: usize, c: usize) -> Result<Self, GraphError> {
        at_least("torus", "number of rows", r, 3)?;
        at_least("torus", "number of columns", c, 3)?;
        let n = r.saturating_mul(c);
        vertices(n)?;
        let at = |a: usize, b: usize| (a % r) * c + b % c;
        let edges: Vec<_> = (0..r)
            .flat_map(|a| (0..c).map(move |b| (a, b)))
            .flat_map(|(a, b)| [(at(a, b), at(a + 1, b)), (at(a, b), at(a, b + 1))])
            .collect();
        Ok(Self::new(n, &edges)?.vertex_transitive())
    }

    /// The hypercube of dimension k ≤ 20: 2ᵏ vertices, joined where their numbers differ in one bit.
    ///
    /// # Errors
    /// k > 20.
    pub fn hypercube(k: usize) -> Result<Self, GraphError> {
        parameter(
            k <= DIMENSION_MAX,
            "hypercube",
            "dimension",
            k as f64,
            "must be at most 20",
        )?;
        let n = 1usize << k;
        let edges: Vec<_> = (0..n)
            .flat_map(|i| (0..k).map(move |bit| (i, i ^ (1 << bit))))
            .filter(|(i, j)| i < j)
            .collect();
        Ok(Self::new(n, &edges)?.vertex_transitive())
    }

    /// Every pair of n vertices is joined with probability p, independently. It may be disconnected.
    ///
    /// The randomness is the noise tape's, so that a seed means the same graph everywhere; pairs are
    /// skipped by geometric gaps (Batagelj and Brandes 2005).
    ///
    /// # Errors
    /// n = 0; p outside [0, 1].
    pub fn erdos_renyi(n: usize, p: f64, seed: u64) -> Result<Self, GraphError> {
        parameter(
            (0.0..=1.0).contains(&p),
            "erdos-renyi",
            "probability",
            p,
            "must lie in [0, 1]",
        )?;
        vertices(n)?;
        if p == 1.0 {
            return Self::complete(n);
        }
        let mut random = Random::new(seed, 0);
        let mut edges = Vec::new();
        // The pairs (i, j), i < j, row by row of j; `i` runs past the end of a row into the next.
        let (mut i, mut j) = (0usize, 1usize);
        loop {
            let gap = (libm::log(random.unit()) / libm::log1p(-p)).floor();
            if gap.is_nan() || gap >= 1e18 {
                break;
            }
            i = i.saturating_add(gap as usize);
            while i >= j && j < n {
                (i, j) = (i - j, j + 1);
            }
            if j >= n {
                break;
            }
            edges.push((i, j));
            i += 1;
        }
        Self::new(n, &edges)
    }

    /// A random k-regular graph on n vertices: half-edges are paired at random, without loops and
    /// repeated edges (Steger and Wormald 1999), and from anew where that gets stuck. Asymptotically
    /// uniform for k = o(n^(1/3)). It may be disconnected.
    ///
    /// # Errors
    /// k ≥ n or n·k odd; no graph found (k close to n).
    pub fn random_regular(n: usize, k: usize, seed: u64) -> Result<Self, GraphError> {
        vertices(n)?;
        let rule = "must be below the number of vertices, and their product even";
        let feasible = k < n && (n * k).is_multiple_of(2);
        parameter(feasible, "regular", "degree", k as f64, rule)?;
        let found =
            (0..PAIRINGS_MAX).find_map(|attempt| pairing(n, k, &mut Random::new(seed, attempt)));
        let Some(edges) = found else {
            return Err(GraphError::Parameter {
                family: "regular",
                parameter: "degree",
                value: k as f64,
                rule: "is too close to the number of vertices for random pairing",
            });
        };
        Self::new(n, &edges)
    }
}

fn parameter(
    ok: bool,
    family: &'static str,
    parameter: &'static str,
    value: f64,
    rule: &'static str,
) -> Result<(), GraphError> {
    if ok {
        Ok(())
    } else {
        Err(GraphError::Parameter {
            family,
            parameter,
            value,
            rule,
        })
    }
}

/// Refuses a number of vertices before anything of that size is made.
fn vertices(n: usize) -> Result<(), GraphError> {
    match n {
        1..=VERTICES_MAX => Ok(()),
        _ => Err(GraphError::Vertices(n)),
    }
}

fn at_least(
    family: &'static str,
    name: &'static str,
    value: usize,
    least: usize,
) -> Result<(), GraphError> {
    assert_eq!(least, 3, "the rule below says so");
    parameter(
        value >= least,
        family,
        name,
        value as f64,
        "must be at least 3",
    )
}

/// Pairs the n·k half-edges, or `None` when those that are left cannot be paired.
fn pairing(n: usize, k: usize, random: &mut Random) -> Option<Vec<(usize, usize)>> {
    let mut free: Vec<u32> = (0..n * k).map(|h| (h / k) as u32).collect();
    let mut lists = vec![Vec::with_capacity(k); n];
    let mut failures = 0;
    while !free.is_empty() {
        let (a, b) = (random.below(free.len()), random.below(free.len()));
        let (i, j) = (free[a], free[b]);
        if i == j || lists[i as usize].contains(&j) {
            failures += 1;
            // Long odds against this many rejections while a pair is left to find.
            if failures > 100 + 20 * free.len() {
                return None;
            }
            continue;
        }
        failures = 0;
        lists[i as usize].push(j);
        lists[j as usize].push(i);
        free.swap_remove(a.max(b));
        free.swap_remove(a.min(b));
    }
    let edge = |i: usize, j: u32| (i < j as usize).then_some((i, j as usize));
    let all = lists.iter().enumerate();
    Some(
        all.flat_map(|(i, list)| list.iter().filter_map(move |&j| edge(i, j)))
            .collect(),
    )
}

/// Variates of the noise tape, one stream per attempt.
struct Random {
    stream: Stream,
}

impl Random {
    fn new(seed: u64, attempt: u64) -> Self {
        Self {
            stream: Tape::new(seed).stream(attempt, Purpose::Data, 0),
        }
    }

    /// A number in (0, 1).
    fn unit(&mut self) -> f64 {
        ((self.stream.uniform().0 >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    /// A number in 0 … n − 1, up to a bias of n/2⁶⁴.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.stream.uniform().0) * n as u128) >> 64) as usize
    }
}

impl FromStr for Graph {
    type Err = GraphError;

    /// Reads one of the [`FORMS`].
    fn from_str(text: &str) -> Result<Self, GraphError> {
        let unknown = || GraphError::Unknown(text.to_owned());
        let (family, rest) = text.split_once(':').ok_or_else(unknown)?;
        if family == "file" {
            return edge_list::load(rest.as_ref());
        }
        let parts: Vec<&str> = rest.split([':', 'x']).collect();
        let whole = |s: &str| s.parse::<usize>().map_err(|_| unknown());
        let seed = |s: &str| s.parse::<u64>().map_err(|_| unknown());
        match (family, parts.as_slice()) {
            ("ring", [n]) => Self::ring(whole(n)?),
            ("path", [n]) => Self::path(whole(n)?),
            ("star", [n]) => Self::star(whole(n)?),
            ("complete", [n]) => Self::complete(whole(n)?),
            ("torus", [r, c]) => Self::torus(whole(r)?, whole(c)?),
            ("hypercube", [k]) => Self::hypercube(whole(k)?),
            ("erdos-renyi", [n, p, s]) => {
                let p = p.parse::<f64>().map_err(|_| unknown())?;
                Self::erdos_renyi(whole(n)?, p, seed(s)?)
            }
            ("regular", [n, k, s]) => Self::random_regular(whole(n)?, whole(k)?, seed(s)?),
            _ => Err(unknown()),
        }
    }
}
