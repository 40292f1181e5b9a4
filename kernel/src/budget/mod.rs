//! Budgeted coverage, exactly: the units within a limit that cover most.
//!
//! Presolve, a Lagrangian bound by subgradient, units fixed by what a knapsack without or with them
//! comes to, and a depth-first search whose bound is looked up in that knapsack's table. Everything
//! that decides is whole numbers: multipliers are rounded, which leaves every bound valid.
//!
//! The objective is value x (limit + 1) - length, so that of sets of the same value the shortest
//! wins. Once the value is proved, shorter sets are looked for within less room; which of the
//! shortest comes first is found within their length, by a search in the order of the units.

mod bound;
mod greedy;
mod node;
mod presolve;
mod recount;
mod search;
mod ties;

use crate::boundary::{guarded, require, Array, ArrayMut, Outcome, Refusal};
use bound::Bound;
use greedy::Set;
use node::Node;
use presolve::{Given, Problem};
pub use recount::awase_recount;
use search::{Goal, Hunt};
pub use ties::awase_budget_ties;

/// Cells of the knapsack's table; a larger problem is left to the caller.
const MOST_CELLS: usize = 1 << 23;
const MOST_OBJECTIVE: i64 = 1 << 40;
const ROUNDS: usize = 4;
/// Lengths are below it, so that sums of them are numbers.
const HIGHEST_LENGTH: i64 = 1 << 31;

/// It is proved that nothing is better, and that nothing as good comes first.
pub const SETTLED: i64 = 0;
/// It is proved that no set has more value, nor the same and less length.
pub const SHORTEST: i64 = 1;
/// It is proved that no set has more value.
pub const HIGHEST: i64 = 2;
/// The steps were over first.
pub const STOPPED: i64 = 3;

/// Finds the best set, as `solve_budget` of `core/solvers/budget_solving.py` defines it.
///
/// Writes 1 to `chosen` for each unit of it, and to `told`: how far it is proved, a bound of the
/// highest value, and how many steps it took. `steps` are how many it may take for the value, and
/// once more for the first of equals.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_budget(
    lengths: Array<i64>,
    starts: Array<i64>,
    features: Array<i64>,
    counts: Array<i64>,
    caps: Array<i64>,
    limit: i64,
    steps: Array<i64>,
    chosen: ArrayMut<u8>,
    told: ArrayMut<i64>,
) -> i32 {
    guarded(|| {
        let rows = [lengths, starts, features, counts, caps].map(|row| row.slice());
        let given = Given::read(rows, limit)?;
        let (steps, chosen, told) = (steps.slice(), chosen.slice(), told.slice());
        require(steps.len() == 2 && told.len() == 3 && chosen.len() == given.lengths.len())?;
        let answer = solve(&given, steps[0], steps[1])?;
        chosen.fill(0);
        for unit in answer.units {
            chosen[unit] = 1;
        }
        told.copy_from_slice(&[answer.status, answer.upper, answer.steps]);
        Ok(())
    })
}

struct Answer {
    units: Vec<usize>,
    status: i64,
    upper: i64,
    steps: i64,
}

fn solve(given: &Given, steps: i64, tie_steps: i64) -> Result<Answer, Refusal> {
    let scale = given.limit + 1;
    check_objective(given)?;
    let mut problem = Problem::of(given, false);
    let mut best = greedy::best(&problem);
    let mut bound = Bound::at_start(&problem);
    for _ in 0..ROUNDS {
        bound.improve(&problem, &mut best);
        // Whatever is as good as the best known set is kept for ties.
        let Some(decided) = bound.decided(&problem, best.objective) else { break };
        let mut kept = [decided.forced, decided.kept].concat();
        kept.sort_unstable();
        let n = problem.n();
        (problem, bound) = problem.restricted(&kept, &bound);
        if 10 * problem.n() > 9 * n {
            break;
        }
    }
    if problem.n().saturating_mul(scale as usize) > MOST_CELLS {
        return Err(Refusal::TooLarge);
    }
    let upper = (bound.root(&problem).max(best.objective) + given.limit).div_euclid(scale);
    let root = Node { problem, bound, chosen: Vec::new(), objective: 0 };
    let mut stages = Stages { root, best, answer: (STOPPED, upper), steps: 0 };
    let goal = Goal::Value { limit: given.limit, scale };
    let value = stages.value(given);
    if stages.hunt(goal, value * scale + 1, (given.limit, steps)) {
        let value = stages.value(given);
        stages.answer = (HIGHEST, value);
        if stages.shorten(value * scale, tie_steps) {
            stages.answer = (SHORTEST, value);
            let objective = stages.best.objective;
            let length = value * scale - objective;
            let is_first =
                objective == 0 || stages.hunt(Goal::First, objective, (length, tie_steps));
            stages.answer.0 = if is_first { SETTLED } else { SHORTEST };
        }
    }
    let (status, upper) = stages.answer;
    Ok(Answer { units: stages.best.units, status, upper, steps: stages.steps })
}

fn check_objective(given: &Given) -> Outcome {
    let most = given.caps.iter().try_fold(0i64, |sum, &cap| sum.checked_add(cap));
    match most.and_then(|most| most.checked_mul(given.limit + 1)) {
        Some(objective) if objective < MOST_OBJECTIVE => Ok(()),
        _ => Err(Refusal::TooLarge),
    }
}

/// One question after the other, each over the same root.
struct Stages {
    root: Node,
    best: Set,
    answer: (i64, i64),
    steps: i64,
}

impl Stages {
    fn value(&self, given: &Given) -> i64 {
        (self.best.objective + given.limit).div_euclid(given.limit + 1)
    }

    /// Looks for shorter sets of the highest value, which is worth so much, until there is none.
    ///
    /// Only as much as is wanted may be chosen: a bound that is between two values within the limit
    /// is below the value a few words sooner. Returns whether all was looked at.
    fn shorten(&mut self, worth: i64, most_steps: i64) -> bool {
        let last_step = self.steps + most_steps;
        loop {
            let wanted = self.best.objective + 1;
            if wanted > worth {
                return true;
            }
            if !self.hunt(Goal::Any, wanted, (worth - wanted, last_step - self.steps)) {
                return false;
            }
            if self.best.objective < wanted {
                return true;
            }
        }
    }

    /// Looks for something of at least this objective within a limit; returns whether all was
    /// looked at.
    fn hunt(&mut self, goal: Goal, wanted: i64, (limit, most_steps): (i64, i64)) -> bool {
        let mut hunt = Hunt { goal, wanted, best: None, all: None, steps: 0, most_steps };
        let mut root = self.root.copy();
        root.problem.limit = limit;
        root.explore(&mut hunt);
        self.steps += hunt.steps;
        if let Some(found) = hunt.best {
            self.best = found;
        }
        hunt.steps <= most_steps
    }
}
