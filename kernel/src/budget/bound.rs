//! The Lagrangian bound: each group's cover is paid for by a multiplier, and what is left is a
//! knapsack, whose own relaxation is enough to find the multipliers.

use super::greedy::{along, Set};
use super::presolve::Problem;

/// Parts of a point of the objective, in which multipliers are whole numbers.
pub const PARTS: i64 = 16;
const ITERATIONS: usize = 120;
const PATIENCE: usize = 8;
const SLOWEST: f64 = 0.01;
const LOOK_EVERY: usize = 12;

/// Multipliers, and the profits that they give the units.
pub struct Bound {
    multipliers: Vec<f64>,
    profits: Vec<f64>,
    /// Profit of a unit of length.
    rates: Vec<f64>,
}

/// What a bound decides.
pub struct Decided {
    pub forced: Vec<usize>,
    pub kept: Vec<usize>,
    /// The place in `kept` of the unit that is least decided.
    pub open: Option<usize>,
}

/// The knapsack's relaxation.
struct Relaxed {
    value: f64,
    /// Profit of a unit of length at the margin.
    rate: f64,
}

impl Bound {
    pub fn at_start(problem: &Problem) -> Bound {
        let scale = problem.scale as f64;
        let start = |group: &super::presolve::Group| {
            let total: i64 = group.counts.iter().map(|&(_, count)| count).sum();
            scale * group.weight as f64 * (group.cap as f64 / total as f64).clamp(0.3, 0.9)
        };
        Bound::with(problem, problem.groups.iter().map(start).collect())
    }

    pub fn with(problem: &Problem, multipliers: Vec<f64>) -> Bound {
        let mut bound = Bound { multipliers, profits: Vec::new(), rates: Vec::new() };
        bound.price(problem);
        bound
    }

    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    fn price(&mut self, problem: &Problem) {
        self.profits.clear();
        self.profits.extend((0..problem.n()).map(|unit| {
            let shared: f64 = problem.of_unit[unit]
                .iter()
                .map(|&(group, count)| self.multipliers[group] * count as f64)
                .sum();
            problem.own_objective(unit) as f64 + shared
        }));
        let rate = |(&profit, &length): (&f64, &i64)| profit / length as f64;
        self.rates.clear();
        self.rates.extend(self.profits.iter().zip(&problem.lengths).map(rate));
    }

    /// Returns what multipliers cost: what is paid although nobody covers it.
    fn constant(&self, problem: &Problem) -> f64 {
        let scale = problem.scale as f64;
        let of = |(group, mu): (&super::presolve::Group, &f64)| {
            group.cap as f64 * (scale * group.weight as f64 - mu)
        };
        problem.groups.iter().zip(&self.multipliers).map(of).sum()
    }

    /// Fills the knapsack by profit for length; `shares` gets how much of each unit is taken.
    fn relax(&self, problem: &Problem, order: &mut Vec<usize>, shares: &mut Vec<f64>) -> Relaxed {
        shares.clear();
        shares.resize(problem.n(), 0.0);
        order.clear();
        order.extend((0..problem.n()).filter(|&unit| self.profits[unit] > 0.0));
        let rate = |unit: usize| self.rates[unit];
        let mut room = problem.limit;
        let mut value = self.constant(problem);
        let (mut begin, mut end) = (0, order.len());
        // Only the units near the margin have to be in order: halves are taken or left whole.
        while end - begin > 1 {
            let middle = begin + (end - begin) / 2;
            order[begin..end]
                .select_nth_unstable_by(middle - begin, |&a, &b| rate(b).total_cmp(&rate(a)));
            let length: i64 = order[begin..middle].iter().map(|&u| problem.lengths[u]).sum();
            if length > room {
                end = middle;
                continue;
            }
            for &unit in &order[begin..middle] {
                shares[unit] = 1.0;
                value += self.profits[unit];
            }
            room -= length;
            begin = middle;
        }
        let Some(&unit) = order.get(begin) else {
            return Relaxed { value, rate: 0.0 };
        };
        let share = (room as f64 / problem.lengths[unit] as f64).min(1.0);
        shares[unit] = share;
        let fits_all = share >= 1.0 && end == order.len();
        let value = value + share * self.profits[unit];
        Relaxed { value, rate: if fits_all { 0.0 } else { rate(unit) } }
    }

    /// Lowers the bound by subgradient steps, and raises the best set by what they come across.
    pub fn improve(&mut self, problem: &Problem, best: &mut Set) {
        let look = |bound: &Bound, iteration: usize, best: &mut Set| {
            if iteration % LOOK_EVERY == LOOK_EVERY - 1 {
                let set = along(problem, bound.by_rate(problem).into_iter(), iteration > 60);
                if set.objective > best.objective {
                    *best = set;
                }
            }
            best.objective + 1
        };
        self.descend(problem, ITERATIONS, PATIENCE, |bound, at| look(bound, at, best));
    }

    /// Lowers the bound until it is below what is wanted, for so many steps.
    pub fn lower(&mut self, problem: &Problem, iterations: usize, wanted: i64) {
        self.descend(problem, iterations, PATIENCE / 2, |_, _| wanted);
    }

    fn descend(
        &mut self,
        problem: &Problem,
        iterations: usize,
        patience: usize,
        mut wanted: impl FnMut(&Bound, usize) -> i64,
    ) {
        let (mut order, mut shares) = (Vec::new(), Vec::new());
        let mut lowest = f64::INFINITY;
        let mut kept = self.multipliers.clone();
        let (mut step, mut idle) = (1.0, 0);
        let mut slopes = Vec::new();
        for iteration in 0..iterations {
            let relaxed = self.relax(problem, &mut order, &mut shares);
            if relaxed.value < lowest - 1e-3 {
                lowest = relaxed.value;
                kept.clone_from(&self.multipliers);
                idle = 0;
            } else {
                idle += 1;
                if idle > patience {
                    (step, idle) = (step / 2.0, 0);
                    self.multipliers.clone_from(&kept);
                    self.price(problem);
                    if step < SLOWEST {
                        break;
                    }
                    continue;
                }
            }
            let wanted = wanted(self, iteration) as f64;
            if lowest < wanted {
                break;
            }
            slopes.clear();
            slopes.extend(problem.groups.iter().map(|group| -(group.cap as f64)));
            for (unit, &share) in shares.iter().enumerate().filter(|&(_, &share)| share > 0.0) {
                for &(group, count) in &problem.of_unit[unit] {
                    slopes[group] += share * count as f64;
                }
            }
            let norm: f64 = slopes.iter().map(|slope| slope * slope).sum();
            if norm < 1e-9 {
                break;
            }
            let size = step * (relaxed.value - wanted + 1.0).max(1.0) / norm;
            let top = problem.scale as f64;
            for ((mu, slope), group) in
                self.multipliers.iter_mut().zip(&slopes).zip(&problem.groups)
            {
                *mu = (*mu - size * slope).clamp(0.0, top * group.weight as f64);
            }
            self.price(problem);
        }
        self.multipliers = kept;
        self.price(problem);
    }

    /// Returns which units must be, which may be, in a set of at least this objective, and the one
    /// that is least decided; None = there is no such set.
    pub fn decided(&self, problem: &Problem, wanted: i64) -> Option<Decided> {
        let relaxed = self.relax(problem, &mut Vec::new(), &mut Vec::new());
        let slack = relaxed.value - wanted as f64 + tolerance(relaxed.value);
        if slack < 0.0 {
            return None;
        }
        let mut decided = Decided { forced: Vec::new(), kept: Vec::new(), open: None };
        let mut closest = f64::INFINITY;
        for unit in 0..problem.n() {
            let length = problem.lengths[unit];
            let reduced = self.profits[unit] - relaxed.rate * length as f64;
            if reduced + slack < 0.0 || length > problem.limit {
                continue;
            }
            if reduced > slack {
                decided.forced.push(unit);
                continue;
            }
            let distance = reduced.abs() / (1.0 + self.profits[unit].max(0.0));
            if distance < closest {
                closest = distance;
                decided.open = Some(decided.kept.len());
            }
            decided.kept.push(unit);
        }
        Some(decided)
    }

    /// Returns the bound of the objective by the relaxation.
    pub fn root(&self, problem: &Problem) -> i64 {
        let relaxed = self.relax(problem, &mut Vec::new(), &mut Vec::new());
        (relaxed.value + tolerance(relaxed.value)).floor() as i64
    }

    /// Returns the units, those with most profit for their length first.
    pub fn by_rate(&self, problem: &Problem) -> Vec<usize> {
        let rate = |unit: usize| self.rates[unit];
        let mut order: Vec<usize> = (0..problem.n()).collect();
        order.sort_by(|&a, &b| rate(b).total_cmp(&rate(a)).then(a.cmp(&b)));
        order
    }

    /// Returns the multipliers in `PARTS`.
    pub fn whole(&self, problem: &Problem) -> Vec<i64> {
        let top = PARTS * problem.scale;
        let of = |(group, mu): (&super::presolve::Group, &f64)| {
            ((mu * PARTS as f64).round() as i64).clamp(0, top * group.weight)
        };
        problem.groups.iter().zip(&self.multipliers).map(of).collect()
    }
}

/// How far a sum of so many floating-point numbers may be off, and more.
fn tolerance(value: f64) -> f64 {
    1e-3 * (1.0 + value.abs() * 1e-6)
}
