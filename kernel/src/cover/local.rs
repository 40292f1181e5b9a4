//! Smaller covers by local search with weights, which proves nothing.
//!
//! A cover of one item fewer than the best is kept, which leaves some needs unmet. Round by round
//! items change places: those leave that lose least, and some unmet need gets the alternative that
//! gains most. Needs weigh the more the longer they have been unmet, so that no place is a trap.
//!
//! Source: Gao, Weise, Li (2015), An efficient local search heuristic with row weighting for the
//! unicost set covering problem, EJOR 246. Differs: a need may ask for several items at once.

use super::random::Random;

/// So many items of alternatives are looked at in a step, which takes about a microsecond.
const LITERALS_A_STEP: i64 = 100;

/// Lists one after the other.
pub struct Lists {
    pub begin: Vec<usize>,
    pub values: Vec<u32>,
}

impl Lists {
    pub fn of(&self, number: usize) -> &[u32] {
        &self.values[self.begin[number]..self.begin[number + 1]]
    }

    /// Returns of each value below `n` the lists that hold it, ascending.
    fn turned(&self, n: usize) -> Lists {
        let mut begin = vec![0; n + 1];
        self.values.iter().for_each(|&value| begin[value as usize + 1] += 1);
        (0..n).for_each(|value| begin[value + 1] += begin[value]);
        let (mut next, mut values) = (begin.clone(), vec![0; self.values.len()]);
        for list in 0..self.begin.len() - 1 {
            for &value in self.of(list) {
                values[next[value as usize]] = list as u32;
                next[value as usize] += 1;
            }
        }
        Lists { begin, values }
    }
}

pub struct Local<'a> {
    items_of: &'a Lists,
    /// Where the alternatives of each need begin.
    needs: &'a [usize],
    need_of: Vec<u32>,
    holding: Lists,
    is_in: Vec<bool>,
    size: usize,
    /// How many items each alternative lacks.
    n_missing: Vec<u32>,
    weights: Vec<i64>,
    /// Of each need the items that decide on it: with any of them put in or taken out it is met or
    /// not.
    pivots: Vec<Vec<u32>>,
    /// Of each item the weight of the needs that it decides on.
    worth: Vec<i64>,
    /// When each item was put in or taken out.
    since: Vec<u32>,
    round: u32,
    unmet: Vec<u32>,
    place_of: Vec<u32>,
    work: i64,
    random: Random,
}

/// What a unit of weight is cut into, so that parts of it are whole numbers.
const WHOLE: i64 = 60;

const MET: u32 = u32::MAX;

impl<'a> Local<'a> {
    /// Takes alternatives and a cover of them.
    pub fn new(items_of: &'a Lists, needs: &'a [usize], is_in: &[bool], seed: u64) -> Local<'a> {
        let n_alternatives = items_of.begin.len() - 1;
        let n_needs = needs.len() - 1;
        let mut need_of = vec![0; n_alternatives];
        for need in 0..n_needs {
            need_of[needs[need]..needs[need + 1]].fill(need as u32);
        }
        let lacks = |&&item: &&u32| !is_in[item as usize];
        let n_missing =
            (0..n_alternatives).map(|one| items_of.of(one).iter().filter(lacks).count() as u32);
        let mut local = Local {
            items_of,
            needs,
            need_of,
            holding: items_of.turned(is_in.len()),
            is_in: is_in.to_vec(),
            size: is_in.iter().filter(|&&flag| flag).count(),
            n_missing: n_missing.collect(),
            weights: vec![1; n_needs],
            pivots: vec![Vec::new(); n_needs],
            worth: vec![0; is_in.len()],
            since: vec![0; is_in.len()],
            round: 1,
            unmet: Vec::new(),
            place_of: vec![MET; n_needs],
            work: 0,
            random: Random(seed | 1),
        };
        (0..n_needs).for_each(|need| local.look(need));
        local
    }

    pub fn is_cover(&self) -> bool {
        self.unmet.is_empty()
    }

    /// Returns the smallest cover found in so many steps, or one of `floor` items before.
    pub fn run(&mut self, floor: usize, steps: i64) -> Vec<bool> {
        let mut best = self.is_in.clone();
        while self.work < steps * LITERALS_A_STEP {
            if self.is_cover() {
                best.clone_from(&self.is_in);
                if self.size <= floor {
                    break;
                }
                self.leave_cheapest();
                continue;
            }
            self.swap();
        }
        best
    }

    fn swap(&mut self) {
        let size = self.size;
        self.leave_cheapest();
        let need = self.unmet[self.random.below(self.unmet.len())];
        let alternative = self.dearest(need as usize);
        let items_of = self.items_of;
        for &item in items_of.of(alternative) {
            if !self.is_in[item as usize] {
                self.flip(item);
            }
        }
        while self.size > size {
            self.leave_cheapest();
        }
        for at in 0..self.unmet.len() {
            let need = self.unmet[at] as usize;
            self.weights[need] += 1;
            self.pivots[need].iter().for_each(|&item| self.worth[item as usize] += WHOLE);
        }
        self.round += 1;
    }

    /// Takes out the item that loses least, of several the one in longest; never what was put in
    /// just now or the round before, unless there is nothing else.
    fn leave_cheapest(&mut self) {
        let key = |item: usize| {
            let is_new = self.round - self.since[item] < 2 && self.since[item] > 0;
            (is_new, self.worth[item], self.since[item])
        };
        let held = (0..self.is_in.len()).filter(|&item| self.is_in[item]);
        if let Some(item) = held.min_by_key(|&item| key(item)) {
            self.flip(item as u32);
        }
        self.work += self.is_in.len() as i64;
    }

    /// Returns the alternative of a need that gains most beyond what room for its items costs.
    fn dearest(&self, need: usize) -> usize {
        let price = self.is_in.iter().zip(&self.worth).filter(|(&is_in, _)| is_in);
        let price = price.map(|(_, &worth)| worth).min().unwrap_or(0);
        let value = |&alternative: &usize| {
            let missing =
                self.items_of.of(alternative).iter().filter(|&&item| !self.is_in[item as usize]);
            let (mut gain, mut since, mut n) = (0, 0, 0);
            for &item in missing {
                gain += self.worth[item as usize];
                since = since.max(self.since[item as usize]);
                n += 1;
            }
            let own = if n > 1 { self.weights[need] * WHOLE } else { 0 };
            (since < self.round, gain + own - price * (n - 1), std::cmp::Reverse(since))
        };
        let range = self.needs[need]..self.needs[need + 1];
        range.max_by_key(value).unwrap_or(self.needs[need])
    }

    /// Puts an item in or takes it out.
    fn flip(&mut self, item: u32) {
        let is_in = !self.is_in[item as usize];
        self.is_in[item as usize] = is_in;
        self.since[item as usize] = self.round;
        self.size = if is_in { self.size + 1 } else { self.size - 1 };
        let mut at = self.holding.begin[item as usize];
        let end = self.holding.begin[item as usize + 1];
        while at < end {
            let need = self.need_of[self.holding.values[at] as usize];
            while at < end && self.need_of[self.holding.values[at] as usize] == need {
                let lacking = &mut self.n_missing[self.holding.values[at] as usize];
                *lacking = if is_in { *lacking - 1 } else { *lacking + 1 };
                at += 1;
            }
            self.look(need as usize);
        }
    }

    /// Finds anew whether a need is met, and what decides on it.
    fn look(&mut self, need: usize) {
        let share = self.share(need);
        let mut pivots = std::mem::take(&mut self.pivots[need]);
        pivots.iter().for_each(|&item| self.worth[item as usize] -= share);
        pivots.clear();
        let range = self.needs[need]..self.needs[need + 1];
        let mut is_met = false;
        for alternative in range.clone().filter(|&one| self.n_missing[one] == 0) {
            let items = self.items_of.of(alternative);
            if is_met {
                pivots.retain(|item| items.contains(item));
            } else {
                pivots.extend_from_slice(items);
            }
            is_met = true;
        }
        if !is_met {
            for alternative in range.clone().filter(|&one| self.n_missing[one] == 1) {
                let missing = |&&item: &&u32| !self.is_in[item as usize];
                let last = self.items_of.of(alternative).iter().find(missing);
                pivots.extend(last.filter(|item| !pivots.contains(item)).copied().iter());
            }
        }
        self.pivots[need] = pivots;
        self.work += (self.items_of.begin[range.end] - self.items_of.begin[range.start]) as i64;
        self.list(need, is_met);
        let share = self.share(need);
        self.pivots[need].iter().for_each(|&item| self.worth[item as usize] += share);
    }

    /// Returns what each item that decides on a need has of its weight.
    ///
    /// Items that meet it together are worth a part each: once one is out, the others may follow.
    fn share(&self, need: usize) -> i64 {
        let is_met = self.place_of[need] == MET;
        let n = if is_met { self.pivots[need].len().max(1) as i64 } else { 1 };
        self.weights[need] * WHOLE / n
    }

    fn list(&mut self, need: usize, is_met: bool) {
        let place = self.place_of[need];
        if is_met && place != MET {
            self.unmet.swap_remove(place as usize);
            if let Some(&moved) = self.unmet.get(place as usize) {
                self.place_of[moved as usize] = place;
            }
            self.place_of[need] = MET;
        } else if !is_met && place == MET {
            self.place_of[need] = self.unmet.len() as u32;
            self.unmet.push(need as u32);
        }
    }
}
