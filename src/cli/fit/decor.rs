//! What `dp-assay fit decor` takes and says besides.

use super::named;
use dp_assay::problem::Weights;
use dp_assay::solver::fit::{Decentralised, Method, NoiseName, Users};
use std::error::Error;

/// What `decor` takes besides.
#[derive(clap::Args)]
#[command(next_help_heading = "With `decor`")]
pub struct DecorArgs {
    /// Who exchanges models with whom, as in `account decor`; ring:16 unless given (with cdp complete:16), or as many users
    /// as there are records. Record k goes to user k modulo their number.
    #[arg(long)]
    graph: Option<String>,
    /// `eavesdropper` (default), `curious`, `collude:Q` or `ldp`.
    #[arg(long)]
    adversary: Option<String>,
    /// decor (default), cdp (protects the average only, where every user takes it for its model) or ldp.
    #[arg(long, value_parser = named::<NoiseName>)]
    noise: Option<NoiseName>,
    /// Standard deviation of the noise that two neighbours share with opposite signs. Unless given, the least
    /// with which a user's own noise has at most 1.1 times the variance that it needs in any case.
    #[arg(long, allow_negative_numbers = true)]
    sigma_cor: Option<f64>,
    /// metropolis-hastings (default), lazy-metropolis-hastings, max-degree, with-self, best-constant or uniform.
    #[arg(long, value_parser = named::<Weights>)]
    weights: Option<Weights>,
    /// Run every user as a process of its own, joined by TCP on the loopback interface.
    #[arg(long)]
    processes: bool,
    /// With --processes: seconds allowed for one answer (10 unless given).
    #[arg(long, requires = "processes", allow_negative_numbers = true)]
    timeout: Option<f64>,
}

impl DecorArgs {
    /// These flags as a part of the request; an error beside another method.
    pub fn request(
        &self,
        method: Method,
        records: usize,
    ) -> Result<Option<Decentralised>, Box<dyn Error>> {
        if method != Method::Decor {
            let texts = self.graph.is_some() || self.adversary.is_some();
            let choices = self.noise.is_some() || self.weights.is_some();
            return match texts || choices || self.sigma_cor.is_some() || self.processes {
                false => Ok(None),
                true => Err(
                    "--graph, --adversary, --noise, --sigma-cor, --weights and --processes \
                             go with decor only"
                        .into(),
                ),
            };
        }
        let defaults = Decentralised::for_records(records);
        let noise = self.noise.unwrap_or(defaults.noise);
        let graph = match noise {
            NoiseName::Cdp => format!("complete:{}", records.clamp(1, 16)),
            NoiseName::Decor | NoiseName::Ldp => defaults.graph,
        };
        Ok(Some(Decentralised {
            graph: self.graph.clone().unwrap_or(graph),
            adversary: self.adversary.clone().unwrap_or(defaults.adversary),
            noise,
            sigma_cor: self.sigma_cor,
            weights: self.weights.unwrap_or(defaults.weights),
            limit_seconds: self.processes.then(|| self.timeout.unwrap_or(10.0)),
            program: std::env::current_exe()?,
        }))
    }
}

/// The users as terminal text.
pub fn text(users: &Users, asked: Option<&Decentralised>) -> String {
    let Users {
        count,
        edges,
        fewest_records,
        sigma_cdp,
        sigma_cor,
        slope,
        ..
    } = users;
    let asked = asked.map_or_else(String::new, |asked| {
        let apart = if asked.limit_seconds.is_some() {
            ", a process each"
        } else {
            ""
        };
        format!("{}, adversary {}{apart}: ", asked.graph, asked.adversary)
    });
    format!(
        "{asked}{count} users of at least {fewest_records} records, {edges} edges\n\
         sigma_cdp = {sigma_cdp}, sigma_cor = {sigma_cor}, slope at most {} per step\n\
         the coefficients are the average of the users' models\n",
        slope.upper
    )
}
