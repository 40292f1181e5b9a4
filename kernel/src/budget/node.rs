//! Where a search does not end soon: a unit is chosen or left out, and the bound made anew for each.

use super::bound::Bound;
use super::presolve::Problem;
use super::search::{tied, Goal, Hunt, Search};

/// Of one table's search, before the problem is parted.
const STEPS_OF_TABLE: i64 = 2_000;
const ITERATIONS: usize = 16;
const ROUNDS: usize = 3;
/// What a round of fixing costs, in steps a unit.
const STEPS_A_UNIT: i64 = 40;
/// Of a knapsack's table, filled in the time of one step.
const CELLS_A_STEP: i64 = 16;

/// What is left to be decided after some units were chosen.
pub struct Node {
    pub problem: Problem,
    pub bound: Bound,
    /// The caller's units chosen so far, and what they come to.
    pub chosen: Vec<usize>,
    pub objective: i64,
}

impl Node {
    pub fn copy(&self) -> Node {
        Node {
            problem: self.problem.clone(),
            bound: Bound::with(&self.problem, self.bound.multipliers().to_vec()),
            chosen: self.chosen.clone(),
            objective: self.objective,
        }
    }

    /// Looks at all sets of this node as far as they are wanted, and the hunt is not over.
    pub fn explore(mut self, hunt: &mut Hunt) {
        for _ in 0..ROUNDS {
            if hunt.is_over() {
                return;
            }
            hunt.steps += STEPS_A_UNIT * (1 + self.problem.n() as i64);
            let wanted = hunt.wanted - self.objective;
            self.bound.lower(&self.problem, ITERATIONS, wanted);
            let n = self.problem.n();
            let Some(decided) = self.bound.decided(&self.problem, wanted) else { return };
            if !self.choose(&decided.forced, &decided.kept, hunt) {
                return;
            }
            if 10 * self.problem.n() > 9 * n {
                break;
            }
        }
        hunt.steps += self.cells() / CELLS_A_STEP;
        let kept = tied(&self.problem, &self.bound, hunt.wanted - self.objective);
        if !self.choose(&[], &kept, hunt) || self.problem.n() == 0 {
            return;
        }
        if !self.search(hunt) && !hunt.is_over() {
            self.part(hunt);
        }
    }

    /// Looks at the sets one by one; returns whether they were all.
    fn search(&self, hunt: &mut Hunt) -> bool {
        let order = match hunt.goal {
            Goal::First => (0..self.problem.n()).collect(),
            _ => self.bound.by_rate(&self.problem),
        };
        hunt.steps += self.cells() / CELLS_A_STEP;
        let (problem, bound) = (&self.problem, &self.bound);
        let n_before = hunt.all.as_ref().map_or(0, |all| all.sets.len());
        let is_whole = Search::new(problem, bound, &order, &self.chosen, (hunt, STEPS_OF_TABLE))
            .run(self.objective);
        if let (false, false, Some(all)) = (is_whole, hunt.is_over(), &mut hunt.all) {
            all.sets.truncate(n_before); // they are found again, each in its part
        }
        is_whole
    }

    fn cells(&self) -> i64 {
        (self.problem.n() as i64) * (self.problem.limit + 1)
    }

    /// Looks at the sets with one unit, then at those without it.
    fn part(self, hunt: &mut Hunt) {
        let wanted = hunt.wanted - self.objective;
        let Some(decided) = self.bound.decided(&self.problem, wanted) else { return };
        let all: Vec<usize> = (0..self.problem.n()).collect();
        // The first of equals is found by asking for the first unit first.
        let open = match hunt.goal {
            Goal::First => 0,
            _ => decided.open.map_or(0, |place| decided.kept[place]),
        };
        let rest: Vec<usize> = all.into_iter().filter(|&unit| unit != open).collect();
        for forced in [&[open][..], &[]] {
            if let Some(node) = self.with(forced, &rest, hunt) {
                node.explore(hunt);
            }
            if hunt.is_over() {
                return;
            }
        }
    }

    /// Chooses units and leaves out all but `kept`; returns whether anything is left to look at.
    fn choose(&mut self, forced: &[usize], kept: &[usize], hunt: &mut Hunt) -> bool {
        if forced.is_empty() && kept.len() == self.problem.n() {
            return true;
        }
        match self.with(forced, kept, hunt) {
            Some(node) => *self = node,
            None => return false,
        }
        true
    }

    /// Returns what is left to look at once units are chosen and only `kept` may follow.
    fn with(&self, forced: &[usize], kept: &[usize], hunt: &mut Hunt) -> Option<Node> {
        let length: i64 = forced.iter().map(|&unit| self.problem.lengths[unit]).sum();
        if length > self.problem.limit {
            return None;
        }
        let chosen = forced.iter().map(|&unit| self.problem.units[unit]);
        let chosen: Vec<usize> = self.chosen.iter().copied().chain(chosen).collect();
        let (problem, bound, objective) = self.problem.contracted(forced, kept, &self.bound);
        let objective = self.objective + objective;
        if !forced.is_empty() && objective >= hunt.wanted {
            let mut units = chosen.clone();
            units.sort_unstable();
            hunt.note(units, objective);
        }
        (!hunt.is_over()).then_some(Node { problem, bound, chosen, objective })
    }
}
