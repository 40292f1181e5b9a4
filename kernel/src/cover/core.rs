//! Needs as the search for one minimal cover reads them best: without alternatives that nobody has
//! to take, and several needs joined into one.
//!
//! A need that stands for two has their pairs of alternatives. What is shared by these two alone
//! is counted at once, so that the dual bound is nearer to h than that of the needs one by one.

use std::collections::BinaryHeap;

use super::bits::Bits;

/// So many alternatives a joined need has at most.
const MOST_JOINED: usize = 48;

/// Needs of which one minimal cover, beside what is forced, is one of the whole.
pub struct Core<const W: usize> {
    pub needs: Vec<Vec<Bits<W>>>,
    pub forced: Bits<W>,
}

impl<const W: usize> Core<W> {
    pub fn of(needs: Vec<Vec<Bits<W>>>, n_items: usize) -> Core<W> {
        let mut core = Core { needs, forced: Bits::EMPTY };
        core.reduce(n_items);
        core
    }

    /// Leaves out alternatives, needs and items until nothing changes; some minimal cover stays.
    fn reduce(&mut self, n_items: usize) {
        loop {
            let alone = self.alone(n_items);
            let mut changed = false;
            for need in &mut self.needs {
                changed |= leave_dear(need, &alone);
            }
            let common = self.needs.iter().map(|need| common(need));
            let forced = common.fold(Bits::EMPTY, |all: Bits<W>, one| all.or(&one));
            if !forced.is_empty() {
                self.forced = self.forced.or(&forced);
                for need in &mut self.needs {
                    need.iter_mut().for_each(|one| *one = one.without(&forced));
                    minimal(need);
                }
                self.needs.retain(|need| !need[0].is_empty());
                changed = true;
            }
            changed |= self.leave_implied();
            if !changed {
                break;
            }
        }
    }

    /// Returns the items of one need alone.
    fn alone(&self, n_items: usize) -> Bits<W> {
        let mut n_needs_of = vec![0u32; n_items];
        for need in &self.needs {
            union(need).items().for_each(|item| n_needs_of[item] += 1);
        }
        let items = (0..n_items).filter(|&item| n_needs_of[item] == 1);
        items.fold(Bits::EMPTY, |set, item| set.with(item))
    }

    fn leave_implied(&mut self) -> bool {
        let before = self.needs.len();
        let mut place = 0;
        while place < self.needs.len() {
            let need = &self.needs[place];
            let implies = |&(other, by): &(usize, &Vec<Bits<W>>)| {
                other != place
                    && by.iter().all(|set| need.iter().any(|inner| inner.without(set).is_empty()))
            };
            if self.needs.iter().enumerate().any(|one| implies(&one)) {
                self.needs.swap_remove(place);
            } else {
                place += 1;
            }
        }
        self.needs.len() < before
    }

    /// Joins needs that share much, two by two, as long as that does not make too many alternatives.
    pub fn join(&mut self, n_items: usize) {
        let mut unions: Vec<Bits<W>> = self.needs.iter().map(|need| union(need)).collect();
        let mut gone = vec![false; self.needs.len()];
        let mut pairs = BinaryHeap::new();
        for one in 0..self.needs.len() {
            pairs.extend((0..one).filter_map(|other| self.worth(one, other, &unions)));
        }
        while let Some((_, one, other)) = pairs.pop() {
            if gone[one] || gone[other] {
                continue;
            }
            let joined = pairwise(&self.needs[one], &self.needs[other]);
            if joined.len() > MOST_JOINED {
                continue;
            }
            (gone[one], gone[other]) = (true, true);
            unions.push(union(&joined));
            self.needs.push(joined);
            let last = gone.len();
            pairs.extend(
                (0..last)
                    .filter(|&place| !gone[place])
                    .filter_map(|other| self.worth(last, other, &unions)),
            );
            gone.push(false);
        }
        let mut gone = gone.into_iter();
        self.needs.retain(|_| gone.next() == Some(false));
        self.reduce(n_items);
    }

    /// Returns how much two needs share for the alternatives they make at most, and the two.
    fn worth(&self, one: usize, other: usize, unions: &[Bits<W>]) -> Option<(usize, usize, usize)> {
        let shared = unions[one].and(&unions[other]).len();
        let n = self.needs[one].len() * self.needs[other].len();
        (shared > 0 && n <= 3 * MOST_JOINED).then_some((1000 * shared * shared / n, one, other))
    }
}

fn union<const W: usize>(need: &[Bits<W>]) -> Bits<W> {
    need.iter().fold(Bits::EMPTY, |all, one| all.or(one))
}

fn common<const W: usize>(need: &[Bits<W>]) -> Bits<W> {
    need[1..].iter().fold(need[0], |all, one| all.and(one))
}

fn pairwise<const W: usize>(one: &[Bits<W>], other: &[Bits<W>]) -> Vec<Bits<W>> {
    let mut pairs: Vec<Bits<W>> =
        one.iter().flat_map(|a| other.iter().map(move |b| a.or(b))).collect();
    minimal(&mut pairs);
    pairs
}

/// Keeps the sets that hold no other one, smallest first.
fn minimal<const W: usize>(sets: &mut Vec<Bits<W>>) {
    sets.sort_by_key(Bits::len);
    let mut kept = 0;
    for at in 0..sets.len() {
        let set = sets[at];
        if !sets[..kept].iter().any(|smaller| smaller.without(&set).is_empty()) {
            sets[kept] = set;
            kept += 1;
        }
    }
    sets.truncate(kept);
}

/// Leaves out an alternative where another, taken in its place, costs no more.
///
/// What only this need has of an alternative is not needed once another is taken.
fn leave_dear<const W: usize>(need: &mut Vec<Bits<W>>, alone: &Bits<W>) -> bool {
    let before = need.len();
    for place in (0..need.len()).rev() {
        let set = need[place];
        let own = set.and(alone);
        let is_dear = need.iter().enumerate().any(|(other, instead)| {
            other != place && instead.without(&set).len() <= own.without(instead).len()
        });
        if is_dear {
            need.remove(place);
        }
    }
    need.len() < before
}
