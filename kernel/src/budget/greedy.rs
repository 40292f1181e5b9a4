//! Sets to beat: made by gain, by gain for length, or along the profits of a bound.

use super::presolve::Problem;

/// A set, units being the caller's, and what it comes to.
#[derive(Clone)]
pub struct Set {
    pub units: Vec<usize>,
    pub objective: i64,
}

/// What a growing set has covered.
pub struct Cover<'a> {
    problem: &'a Problem,
    taken: Vec<i64>,
    /// What each unit adds now.
    gains: Vec<i64>,
    is_chosen: Vec<bool>,
    chosen: Vec<usize>,
    room: i64,
    value: i64,
}

impl<'a> Cover<'a> {
    pub fn new(problem: &'a Problem) -> Cover<'a> {
        let mut gains = problem.own.clone();
        for group in &problem.groups {
            for &(unit, count) in &group.counts {
                gains[unit] += group.weight * count.min(group.cap);
            }
        }
        Cover {
            problem,
            taken: vec![0; problem.groups.len()],
            gains,
            is_chosen: vec![false; problem.n()],
            chosen: Vec::new(),
            room: problem.limit,
            value: 0,
        }
    }

    fn take(&mut self, unit: usize) {
        self.value += self.gains[unit];
        self.cover(unit, 1);
        self.room -= self.problem.lengths[unit];
        self.is_chosen[unit] = true;
        self.chosen.push(unit);
    }

    fn leave(&mut self, place: usize) {
        let unit = self.chosen.remove(place);
        self.is_chosen[unit] = false;
        self.cover(unit, -1);
        self.room += self.problem.lengths[unit];
        self.value -= self.gains[unit];
    }

    /// Covers what a unit has so many times more.
    fn cover(&mut self, unit: usize, times: i64) {
        for &(group, count) in &self.problem.of_unit[unit] {
            let of = &self.problem.groups[group];
            let before = (of.cap - self.taken[group]).max(0);
            self.taken[group] += times * count;
            let after = (of.cap - self.taken[group]).max(0);
            if before == after {
                continue;
            }
            for &(other, count) in &of.counts {
                self.gains[other] += of.weight * (count.min(after) - count.min(before));
            }
        }
    }

    /// Leaves out what nothing is lost without.
    fn thin(&mut self) {
        let mut by_length: Vec<usize> = self.chosen.clone();
        by_length.sort_by_key(|&unit| -self.problem.lengths[unit]);
        for unit in by_length {
            let before = self.value;
            let place = self.chosen.iter().position(|&one| one == unit).expect("it is chosen");
            self.leave(place);
            if self.value < before {
                self.take(unit);
            }
        }
    }

    /// Exchanges one unit for another as long as that pays.
    fn exchange(&mut self) {
        for _ in 0..2 {
            let before = self.objective();
            for unit in self.chosen.clone() {
                let Some(place) = self.chosen.iter().position(|&one| one == unit) else { continue };
                self.leave(place);
                let worth = |other: usize| {
                    self.problem.scale * self.gains[other] - self.problem.lengths[other]
                };
                // A point more is worth more than any length.
                let least = self.gains[unit];
                let other = (0..self.problem.n())
                    .filter(|&other| self.gains[other] >= least)
                    .filter(|&other| self.problem.lengths[other] <= self.room)
                    .filter(|&other| !self.is_chosen[other])
                    .max_by_key(|&other| (worth(other), other == unit))
                    .unwrap_or(unit);
                self.take(other);
            }
            self.fill();
            self.thin();
            if self.objective() <= before {
                break;
            }
        }
    }

    /// Takes what adds most for its length until nothing fits or adds.
    fn fill(&mut self) {
        self.grow(|gain, length| gain as f64 / length as f64);
    }

    fn grow(&mut self, worth: impl Fn(i64, i64) -> f64) {
        let mut left: Vec<usize> =
            (0..self.problem.n()).filter(|&unit| !self.is_chosen[unit]).collect();
        loop {
            let mut best: Option<(f64, usize)> = None;
            left.retain(|&unit| {
                let length = self.problem.lengths[unit];
                let gain = if length <= self.room { self.gains[unit] } else { 0 };
                if gain > 0 && best.map_or(true, |(most, _)| worth(gain, length) > most) {
                    best = Some((worth(gain, length), unit));
                }
                gain > 0
            });
            match best {
                Some((_, unit)) => {
                    self.take(unit);
                    left.retain(|&other| other != unit);
                }
                None => return,
            }
        }
    }

    fn objective(&self) -> i64 {
        self.problem.scale * self.value - (self.problem.limit - self.room)
    }

    pub fn set(&self) -> Set {
        let mut units: Vec<usize> =
            self.chosen.iter().map(|&unit| self.problem.units[unit]).collect();
        units.sort_unstable();
        Set { units, objective: self.objective() }
    }
}

/// Returns the better of the two greedy sets.
pub fn best(problem: &Problem) -> Set {
    let mut by_gain = Cover::new(problem);
    by_gain.grow(|gain, _| gain as f64);
    by_gain.thin();
    let mut by_rate = Cover::new(problem);
    by_rate.fill();
    by_rate.thin();
    by_rate.exchange();
    let (a, b) = (by_gain.set(), by_rate.set());
    if a.objective > b.objective {
        a
    } else {
        b
    }
}

/// Returns the set that takes units in an order as long as they fit and add something.
pub fn along(problem: &Problem, order: impl Iterator<Item = usize>, thoroughly: bool) -> Set {
    let mut cover = Cover::new(problem);
    for unit in order {
        if problem.lengths[unit] <= cover.room && cover.gains[unit] > 0 {
            cover.take(unit);
        }
    }
    cover.thin();
    if thoroughly {
        cover.exchange();
    }
    cover.set()
}
