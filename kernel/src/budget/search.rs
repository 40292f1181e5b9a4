//! Depth first, the bound of what is left being looked up in the knapsack's table.

use super::bound::{Bound, PARTS};
use super::greedy::Set;
use super::presolve::Problem;
use super::ties::Ties;

/// What is searched for, and the best that was found.
pub struct Hunt {
    pub goal: Goal,
    /// The least objective that is of interest.
    pub wanted: i64,
    pub best: Option<Set>,
    /// Where all are collected.
    pub all: Option<Ties>,
    pub steps: i64,
    pub most_steps: i64,
}

/// Which sets are of interest once one is found.
#[derive(Clone, Copy, PartialEq)]
pub enum Goal {
    /// Those of more value.
    Value { limit: i64, scale: i64 },
    /// None: any will do.
    Any,
    /// None: it is the first.
    First,
    /// All, so far as they are collected.
    All,
}

impl Goal {
    fn is_one(self) -> bool {
        matches!(self, Goal::Any | Goal::First)
    }
}

impl Hunt {
    pub fn is_over(&self) -> bool {
        self.steps > self.most_steps
            || (self.goal.is_one() && self.best.is_some())
            || self.all.as_ref().is_some_and(|all| all.are_more)
    }

    pub fn note(&mut self, units: Vec<usize>, objective: i64) {
        if let Some(all) = &mut self.all {
            all.take(units);
            return;
        }
        self.wanted = match self.goal {
            Goal::Value { limit, scale } => (objective + limit).div_euclid(scale) * scale + 1,
            _ => objective + 1,
        };
        self.best = Some(Set { units, objective });
    }
}

/// One search over the units in some order; numbers are in `PARTS` of the objective.
pub struct Search<'a> {
    problem: &'a Problem,
    order: &'a [usize],
    multipliers: Vec<i64>,
    table: Table,
    constant: i64,
    taken: Vec<i64>,
    /// The caller's units: those chosen before, and those of this search.
    chosen: Vec<usize>,
    hunt: &'a mut Hunt,
    last_step: i64,
}

impl<'a> Search<'a> {
    /// Takes the units that were chosen before; `steps` are how many it may take itself.
    pub fn new(
        problem: &'a Problem,
        bound: &Bound,
        order: &'a [usize],
        chosen: &[usize],
        (hunt, steps): (&'a mut Hunt, i64),
    ) -> Search<'a> {
        let multipliers = bound.whole(problem);
        let profits = profits(problem, &multipliers);
        Search {
            table: Table::of(problem, &profits, order),
            constant: constant(problem, &multipliers),
            multipliers,
            problem,
            order,
            taken: vec![0; problem.groups.len()],
            chosen: chosen.to_vec(),
            last_step: hunt.most_steps.min(hunt.steps + steps),
            hunt,
        }
    }

    /// Looks at all sets; `objective` is that of the units chosen before. Returns whether they were
    /// all, or none is wanted any more.
    pub fn run(&mut self, objective: i64) -> bool {
        let paid = self.constant + PARTS * objective;
        self.grow(0, self.problem.limit, paid, objective);
        self.hunt.steps <= self.last_step
    }

    /// Looks at all supersets with units from `place` on.
    ///
    /// `paid` is the objective with covers paid by multipliers, all caps' surplus included: no set
    /// with these units is better than that and what a knapsack of the others brings.
    fn grow(&mut self, place: usize, room: i64, paid: i64, objective: i64) -> bool {
        for place in place..self.order.len() {
            self.hunt.steps += 1;
            if self.hunt.steps > self.last_step {
                return false;
            }
            if paid + self.table.best(place, room) < PARTS * self.hunt.wanted {
                return true;
            }
            let unit = self.order[place];
            let length = self.problem.lengths[unit];
            if length > room {
                continue;
            }
            let (gain, profit) = self.take(unit);
            let grown = objective + gain;
            let goes_on = if gain > 0 {
                self.chosen.push(self.problem.units[unit]);
                let goes_on =
                    self.note(grown) && self.grow(place + 1, room - length, paid + profit, grown);
                self.chosen.pop();
                goes_on
            } else {
                true // what adds nothing now never will
            };
            self.put_back(unit);
            if !goes_on {
                return false;
            }
        }
        true
    }

    fn take(&mut self, unit: usize) -> (i64, i64) {
        let own = self.problem.own_objective(unit);
        let (mut value, mut profit) = (0, PARTS * own);
        for &(group, count) in &self.problem.of_unit[unit] {
            let of = &self.problem.groups[group];
            let added = count.min((of.cap - self.taken[group]).max(0));
            self.taken[group] += count;
            value += of.weight * added;
            profit += self.multipliers[group] * added;
        }
        (own + self.problem.scale * value, profit)
    }

    fn put_back(&mut self, unit: usize) {
        for &(group, count) in &self.problem.of_unit[unit] {
            self.taken[group] -= count;
        }
    }

    fn note(&mut self, objective: i64) -> bool {
        if objective >= self.hunt.wanted {
            let mut units = self.chosen.clone();
            units.sort_unstable();
            self.hunt.note(units, objective);
        }
        !self.hunt.is_over()
    }
}

/// The most profit that units from a place on bring within a length.
struct Table {
    cells: Vec<i64>,
    width: usize,
}

impl Table {
    fn of(problem: &Problem, profits: &[i64], order: &[usize]) -> Table {
        let width = problem.limit as usize + 1;
        let mut cells = vec![0; (order.len() + 1) * width];
        for (place, &unit) in order.iter().enumerate().rev() {
            let (before, after) = cells.split_at_mut((place + 1) * width);
            let (row, next) = (&mut before[place * width..], &after[..width]);
            fill(row, next, problem.lengths[unit] as usize, profits[unit]);
        }
        Table { cells, width }
    }

    fn best(&self, place: usize, room: i64) -> i64 {
        self.cells[place * self.width + room as usize]
    }

    fn row(&self, place: usize) -> &[i64] {
        &self.cells[place * self.width..(place + 1) * self.width]
    }
}

fn fill(row: &mut [i64], next: &[i64], length: usize, profit: i64) {
    let length = length.min(row.len());
    row[..length].copy_from_slice(&next[..length]);
    for ((cell, &without), &with) in row[length..].iter_mut().zip(&next[length..]).zip(next) {
        *cell = without.max(with + profit);
    }
}

fn profits(problem: &Problem, multipliers: &[i64]) -> Vec<i64> {
    (0..problem.n())
        .map(|unit| {
            let shared: i64 =
                problem.of_unit[unit].iter().map(|&(group, n)| multipliers[group] * n).sum();
            PARTS * problem.own_objective(unit) + shared
        })
        .collect()
}

fn constant(problem: &Problem, multipliers: &[i64]) -> i64 {
    let top = PARTS * problem.scale;
    problem.groups.iter().zip(multipliers).map(|(of, mu)| of.cap * (top * of.weight - mu)).sum()
}

/// Returns the units that may be in a set as good as `objective`, by the knapsack with each.
pub fn tied(problem: &Problem, bound: &Bound, objective: i64) -> Vec<usize> {
    let multipliers = bound.whole(problem);
    let profits = profits(problem, &multipliers);
    let constant = constant(problem, &multipliers);
    let order: Vec<usize> = (0..problem.n()).collect();
    let behind = Table::of(problem, &profits, &order);
    let limit = problem.limit as usize;
    let mut before = vec![0; limit + 1];
    let mut kept = Vec::new();
    for unit in order {
        let length = problem.lengths[unit] as usize;
        let rest = limit - length.min(limit);
        let with = (0..=rest)
            .map(|room| before[room] + behind.row(unit + 1)[rest - room])
            .max()
            .unwrap_or(0);
        if constant + profits[unit] + with >= PARTS * objective {
            kept.push(unit);
        }
        let next = before.clone();
        fill(&mut before, &next, length, profits[unit]);
    }
    kept
}
