//! All sets of the highest value in which no unit can be left out.

use super::bound::Bound;
use super::node::Node;
use super::presolve::{Given, Problem};
use super::search::{Goal, Hunt};
use super::{check_objective, MOST_CELLS, ROUNDS};
use crate::boundary::{guarded, require, Array, ArrayMut, Refusal};

/// So often the bound is lowered before the first unit is chosen.
const ITERATIONS: usize = 120;

/// Finds the sets of the highest `value` in which no unit can be left out without loss, as
/// `optima_of` of `core/solvers/budget_solving.py` defines them.
///
/// Writes 1 to `sets`, a row of all units for each set, in no order of meaning, and to `told`: how
/// many there are, whether they are all, and how many steps it took, at most `steps`.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_budget_ties(
    lengths: Array<i64>,
    starts: Array<i64>,
    features: Array<i64>,
    counts: Array<i64>,
    caps: Array<i64>,
    limit: i64,
    value: i64,
    steps: i64,
    sets: ArrayMut<u8>,
    told: ArrayMut<i64>,
) -> i32 {
    guarded(|| {
        let rows = [lengths, starts, features, counts, caps].map(|row| row.slice());
        let given = Given::read(rows, limit)?;
        let (sets, told) = (sets.slice(), told.slice());
        check_objective(&given)?;
        let n = given.lengths.len();
        require(n > 0 && sets.len() % n == 0 && told.len() == 3)?;
        require((1..=given.caps.iter().sum()).contains(&value))?;
        let hunt = collected(&given, value, (steps, sets.len() / n))?;
        let all = hunt.all.ok_or(Refusal::Unfit)?;
        sets.fill(0);
        for (row, units) in sets.chunks_mut(n).zip(&all.sets) {
            units.iter().for_each(|&unit| row[unit] = 1);
        }
        let is_whole = !all.are_more && hunt.steps <= hunt.most_steps;
        told.copy_from_slice(&[all.sets.len() as i64, i64::from(is_whole), hunt.steps]);
        Ok(())
    })
}

fn collected(given: &Given, value: i64, (steps, most): (i64, usize)) -> Result<Hunt, Refusal> {
    let scale = given.limit + 1;
    // With less value a set has less, however short it is.
    let wanted = value * scale - given.limit;
    let mut problem = Problem::of(given, true);
    let all = Ties::begin(&problem, given.lengths.len(), most);
    let goal = Goal::All;
    let mut hunt = Hunt { goal, wanted, best: None, all: Some(all), steps: 0, most_steps: steps };
    let mut bound = Bound::at_start(&problem);
    for _ in 0..ROUNDS {
        bound.lower(&problem, ITERATIONS, wanted);
        let Some(decided) = bound.decided(&problem, wanted) else { return Ok(hunt) };
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
    Node { problem, bound, chosen: Vec::new(), objective: 0 }.explore(&mut hunt);
    Ok(hunt)
}

/// Sets that are collected, up to so many.
pub struct Ties {
    pub sets: Vec<Vec<usize>>,
    /// Whether there are more than were asked for.
    pub are_more: bool,
    most: usize,
    own: Vec<i64>,
    of_unit: Vec<Vec<(usize, i64)>>,
    caps: Vec<i64>,
    covered: Vec<i64>,
}

impl Ties {
    /// Takes the problem with all units that may be in such a set.
    fn begin(problem: &Problem, n_units: usize, most: usize) -> Ties {
        let (mut own, mut of_unit) = (vec![0; n_units], vec![Vec::new(); n_units]);
        for (place, &unit) in problem.units.iter().enumerate() {
            own[unit] = problem.own[place];
            of_unit[unit].clone_from(&problem.of_unit[place]);
        }
        let caps: Vec<i64> = problem.groups.iter().map(|group| group.cap).collect();
        let covered = vec![0; caps.len()];
        Ties { sets: Vec::new(), are_more: false, most, own, of_unit, caps, covered }
    }

    /// Takes a set of the highest value, unless some unit of it can be left out.
    pub fn take(&mut self, units: Vec<usize>) {
        let Ties { own, of_unit, caps, covered, .. } = self;
        covered.fill(0);
        for &unit in &units {
            of_unit[unit].iter().for_each(|&(group, count)| covered[group] += count);
        }
        let adds = |&unit: &usize| {
            let lacks = |&(group, count): &(usize, i64)| covered[group] - count < caps[group];
            own[unit] > 0 || of_unit[unit].iter().any(lacks)
        };
        if !units.iter().all(adds) {
            return;
        }
        if self.sets.len() == self.most {
            self.are_more = true;
        } else {
            self.sets.push(units);
        }
    }
}
