//! What the two releases of a round cost together: 2C² times the entry of the inverse covariance.

use super::super::super::adversary::{inverse_entry, unity};
use super::super::{Parts, Proof, on, space, swap};
use super::{clip, of, rounds, shares, slope};
use crate::moved::written::{given_for, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    clipped, compose, gaussian, one_record, root_increases, sum_over, triangle, weaken,
};
use dp_assay_kernel::search::{item, zcdp_cost};
use dp_assay_kernel::statement::{Command, Context, Goal, Notion, Sort};
use dp_assay_kernel::term::var;

/// Of what a layout holds with these shares a record in another's place moves it by at most 2C·√(Σ share²): its own index and
/// bound, the names of the layout, and its hypotheses.
struct Held<'a> {
    all: &'a str,
    outer: [&'a str; 2],
    names: [&'a str; 2],
    facts: [usize; 3],
    share: &'a dyn Fn(&str) -> String,
}

impl Held<'_> {
    fn size(&self) -> String {
        let [k, below] = self.outer;
        format!("(Σ_{{{k}<{below}}} ({})²)", (self.share)(k))
    }

    /// The squares of two records' difference, all of it, are at most 4C²·Σ share².
    fn squares(&self, h: &Context, gap: &dyn Fn(&str) -> String) -> Proof {
        let ([k, below], [user, entry]) = (self.outer, self.names);
        let second = format!("{k}₂");
        let (second, share) = (second.as_str(), |k: &str| format!("({})", (self.share)(k)));
        let index = |name: &str, below: &str| item(name, Sort::Index(var(below)));
        let inside = &h.with([
            index("o", self.all),
            index(k, below),
            index(second, below),
            index("j", "d"),
            index("i", "d"),
        ])?;
        let one = given_for(inside, self.facts[0], &["o", k, second])?;
        let other = given_for(inside, self.facts[1], &["o", "j", "i"])?;
        let rest = format!("{}·{}·{}·{}", share(k), share(second), gap("j"), gap("i"));
        let goal = format!(
            "{user}_o[{k}]·{user}_o[{second}]·{entry}_o[j]·{entry}_o[i]·{rest} = {user}_o[{k}]·𝟙[{k}={second}]·{entry}_o[j]·𝟙[j=i]·{rest}"
        );
        let parts: Parts<'_> = &[
            (&format!("{entry}_o[j]·{entry}_o[i]·{rest}"), &[&one]),
            (&format!("{user}_o[{k}]·𝟙[{k}={second}]·{rest}"), &[&other]),
        ];
        let pairs = (0..5).try_fold(show(inside, &goal, parts)?, |t, _| sum_over(&t))?;
        let square = format!("{}²·{}²", share(k), gap("j"));
        let body = format!("{user}_o[{k}]·{entry}_o[j]·{square}");
        let first = swap(h, ("o", self.all), (k, below), &format!("Σ_{{j<d}} {body}"))?;
        let own = &h.with([index(k, below)])?;
        let then = sum_over(&swap(own, ("o", self.all), ("j", "d"), &body)?)?;
        let place = &own.with([index("j", "d")])?;
        let placed = given_for(place, self.facts[2], &[k, "j"])?;
        let goal = format!(
            "(Σ_{{ι<{}}} {user}_ι[{k}]·{entry}_ι[j])·{square} = {square}",
            self.all
        );
        let placed = sum_over(&sum_over(&show(place, &goal, &[(&square, &[&placed])])?)?)?;
        let short = self.short(h, gap)?;
        let goal = format!("{} ≤ 4·C²·{}", self.length(gap), self.size());
        let parts: Parts<'_> = &[
            ("1", &[&pairs]),
            ("1", &[&first]),
            ("1", &[&then]),
            ("1", &[&placed]),
            (&self.size(), &[&short]),
        ];
        show(h, &goal, parts)
    }

    /// The squares of the difference.
    fn length(&self, gap: &dyn Fn(&str) -> String) -> String {
        let ([k, below], [user, entry]) = (self.outer, self.names);
        let share = (self.share)(k);
        format!(
            "(Σ_{{ι<{}}} (Σ_{{{k}<{below}}} Σ_{{ϑ<d}} {user}_ι[{k}]·{entry}_ι[ϑ]·({share}·{}))²)",
            self.all,
            gap("ϑ")
        )
    }

    /// Two clipped gradients are not further apart than 2C, squared.
    fn short(&self, h: &Context, gap: &dyn Fn(&str) -> String) -> Proof {
        let vector = |z: &str| term(h, &format!("⟨{}[j] : j<d⟩", clip(z)));
        let apart = triangle(h, &vector("z₁")?, &vector("z₂")?)?;
        let bound = |z: &str| clipped(h, &term(h, &slope(z))?, &var("C"));
        let squares = format!("(Σ_{{ϑ<d}} {}²)", gap("ϑ"));
        let parts: Parts<'_> = &[
            ("1", &[&apart]),
            ("1", &[&bound("z₁")?]),
            ("1", &[&bound("z₂")?]),
        ];
        let apart = show(h, &format!("√({squares}) ≤ 2·C"), parts)?;
        let turned = format!("2·C + √({squares})");
        show(h, &format!("{squares} ≤ 4·C²"), &[(&turned, &[&apart])])
    }

    /// The release of it, in zCDP.
    fn released(&self, h: &Context, command: &Command) -> Proof {
        let Command::Release { query, .. } = command else {
            return Err(Stuck::new("no release"));
        };
        let two = &h.with(["z₁", "z₂"].map(|z| item(z, Sort::Record)))?;
        let gap = |j: &str| format!("({}[{j}] − {}[{j}])", clip("z₁"), clip("z₂"));
        let less = root_increases(&self.squares(two, &gap)?)?;
        let by = format!("√({}) ≤ 2·C·√({})", self.length(&gap), self.size());
        let moves = one_record(h, "𝒟", query, &show(two, &by, &[("1", &[&less])])?)?;
        gaussian(h, command, &moves)
    }
}

/// All that is released, in zCDP: 2C²·π_u₀ in a round, by ⟨Σπ, π⟩.
pub(super) fn private(h: &Context) -> Proof {
    let Some([_, edges, users, ..]) = rounds(h) else {
        return Err(Stuck::new("not two releases"));
    };
    let here = h.with([
        space("v", "s"),
        item("r", Sort::Index(var("T"))),
        space("ξ", "B"),
    ])?;
    let of_edges = Held {
        all: "s′",
        outer: ["e", "E"],
        names: ["χ", "φ"],
        facts: of::EDGES,
        share: &|e| shares(e, "k")[0].clone(),
    };
    let of_users = Held {
        all: "s",
        outer: ["k", "n"],
        names: ["α", "β"],
        facts: of::USERS,
        share: &|k| shares("e", k)[1].clone(),
    };
    let found = [
        of_edges.released(&here, edges)?,
        of_users.released(&here, users)?,
    ];
    let all = compose(h, "Alg1", "𝒟", &[&found[0], &found[1]])?;
    let k = &on(h, "k")?;
    let along = "(Σ_{l<n} υ_e[l]·π_l)";
    let row = given_for(k, of::SYSTEM, &["k"])?;
    let goal = format!("π_k·(V·π_k + U·(Σ_{{e<E}} υ_e[k]·{along})) = π_k·𝟙[k=u₀]");
    let row = sum_over(&show(k, &goal, &[("π_k", &[&row])])?)?;
    let turned = swap(h, ("k", "n"), ("e", "E"), &format!("π_k·υ_e[k]·{along}"))?;
    let parts: Parts<'_> = &[("1", &[&row]), ("(−1)·U", &[&turned])];
    let energy = format!("V·(Σ_{{k<n}} π_k²) + U·(Σ_{{e<E}} {along}²) = π_u₀");
    let energy = show(h, &energy, parts)?;
    let (own, shared) = (given_for(h, of::OWN, &[])?, given_for(h, of::SHARED, &[])?);
    let scale = show(h, "T·C² = m·V·ε²/(K·ℓ)", &[("(−1)·m·ε²/(K·ℓ)", &[&own])])?;
    let parts: Parts<'_> = &[("a", &[&shared]), ("(−1)·m", &[&own])];
    let even = show(h, "a·U = m·V", parts)?;
    let column = inverse_entry(h, "u₀")?;
    let (bound, lambda) = ("(1/(m·V) + (1 − 1/m)/(V + a·U))", "(1/(V + a·U))");
    let unit = "(2·ε²/(K·ℓ))";
    let parts: Parts<'_> = &[
        ("2·T·C²", &[&energy]),
        ("2·T·C²", &[&column]),
        (&format!("2·{bound}"), &[&scale]),
        (unit, &[&unity(h)?]),
        (&format!("(−1)·{unit}·{lambda}"), &[&even]),
        (&format!("2·{unit}·{lambda}·V"), &[]),
    ];
    let most = term(h, "4·ε²/(K·ℓ)")?;
    let less = Goal::Le(zcdp_cost(&all.statement().goal)?.clone(), most.clone());
    weaken(&all, &Notion::Zcdp(most), &[&settle(h, &less, parts)?])
}
