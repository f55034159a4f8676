//! How far what all users send moves with the data of one: `decor-fact-sens`.

use super::adversary::{clip, model, slope, users};
use super::swap;
use crate::moved::written::{Proof, given_for, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, clipped, one_record, root_increases, sum_over, triangle};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Goal, Sort, Statement};
use dp_assay_kernel::term::var;

type Parts<'a> = &'a [(&'a str, &'a [&'a Theorem])];

/// Hypotheses of the layout, by number.
mod of {
    pub const USERS: usize = 0;
    pub const ENTRIES: usize = 1;
    pub const PLACE: usize = 2;
}

/// `decor-fact-sens`: given the models, which the messages so far tell, and the samples, what all would send without noise
/// moves by at most 2C, and in the entries of user u₀ alone.
pub fn fact_sens() -> Result<Statement, Stuck> {
    let (own, of_others, users) = (clip("z₀"), model("κ"), users());
    render::parse(&format!(
        "for all
    integer n ≥ 1
    {users}vector v ∈ ℝ^(n·d)
    vector ξ ∈ ℝ^B
  holds
    between neighbours of 𝒟, ⟨Σ_{{κ<n}} Σ_{{ϑ<d}} Θ_ι[κ]·β_ι[ϑ]·((1 − 𝟙[κ=u₀])·clip(f(⟨𝟙[ι=κ] : \
        ι<n⟩, {of_others}, ξ), C)[ϑ] + 𝟙[κ=u₀]·(Σ_{{z₀∈𝒟}} {own}[ϑ])) : ι<(n·d)⟩ moves by at most \
        2·C"
    ))
}

/// The proof of [`fact_sens`], or of a statement with another bound: the vector of all is as long as what differs in it.
pub fn prove_fact_sens(statement: &Statement) -> Proof {
    let here = &statement.context;
    let Goal::Moves { query, by, .. } = &statement.goal else {
        return Err(Stuck::new("no sensitivity"));
    };
    let h = &here.with(["z", "z′"].map(|z| item(z, Sort::Record)))?;
    let [one, two] = ["z", "z′"].map(|z| format!("⟨{}[j] : j<d⟩", clip(z)));
    let apart = triangle(h, &term(h, &one)?, &term(h, &two)?)?;
    let short = |z: &str| clipped(h, &term(h, &slope(z))?, &var("C"));
    let gap = |j: &str| format!("({}[{j}] − {}[{j}])", clip("z"), clip("z′"));
    let size = format!("√(Σ_{{ϑ<d}} {}²)", gap("ϑ"));
    let parts: Parts<'_> = &[
        ("1", &[&apart]),
        ("1", &[&short("z")?]),
        ("1", &[&short("z′")?]),
    ];
    let apart = show(h, &format!("{size} ≤ 2·C"), parts)?;
    // Entry ι of what differs is Σ_ϑ Θ_ι[u₀]·β_ι[ϑ]·gap_ϑ.
    let all = format!("(Σ_{{ϑ<d}} Θ_ι[u₀]·β_ι[ϑ]·{})", gap("ϑ"));
    let index = |name: &str, below: &str| Ok(item(name, Sort::Index(term(h, below)?)));
    let o = &h.with([index("o", "n·d")?])?;
    let pair = &o.with([index("j", "d")?, index("l", "d")?])?;
    let (user, entry) = (
        given_for(pair, of::USERS, &["o", "u₀", "u₀"])?,
        given_for(pair, of::ENTRIES, &["o", "j", "l"])?,
    );
    let gaps = format!("{}·{}", gap("j"), gap("l"));
    let goal = format!("Θ_o[u₀]²·β_o[j]·β_o[l]·{gaps} = Θ_o[u₀]·β_o[j]·𝟙[j=l]·{gaps}");
    let parts: Parts<'_> = &[
        (&format!("β_o[j]·β_o[l]·{gaps}"), &[&user]),
        (&format!("Θ_o[u₀]·{gaps}"), &[&entry]),
    ];
    let squares = sum_over(&sum_over(&sum_over(&show(pair, &goal, parts)?)?)?)?;
    let body = format!("Θ_o[u₀]·β_o[j]·{}²", gap("j"));
    let turned = swap(h, ("o", "n·d"), ("j", "d"), &body)?;
    let j = &h.with([index("j", "d")?])?;
    let place = given_for(j, of::PLACE, &["u₀", "j"])?;
    let square = format!("{}²", gap("j"));
    let goal = format!("(Σ_{{ι<(n·d)}} Θ_ι[u₀]·β_ι[j])·{square} = {square}");
    let place = sum_over(&show(j, &goal, &[(&square, &[&place])])?)?;
    let parts: Parts<'_> = &[("1", &[&squares]), ("1", &[&turned]), ("1", &[&place])];
    let goal = format!("Σ_{{ι<(n·d)}} {all}² ≤ Σ_{{ϑ<d}} {}²", gap("ϑ"));
    let less = root_increases(&show(h, &goal, parts)?)?;
    let whole = term(h, &format!("√(Σ_{{ι<(n·d)}} {all}²)"))?;
    let parts: Parts<'_> = &[("1", &[&less]), ("1", &[&apart])];
    let less = settle(h, &Goal::Le(whole, by.clone()), parts)?;
    one_record(here, "𝒟", query, &less)
}
