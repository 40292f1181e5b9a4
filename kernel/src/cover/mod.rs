//! Minimal covers of one component: h, what all minimal covers have in common, and their number.
//!
//! Depth-first search with a bound from the dual of the linear relaxation, whose shares are found
//! once, by subgradient, and completed at every node. Everything that decides is whole numbers.

mod bits;
mod bound;
mod needs;
mod search;

use crate::boundary::{checked_offsets, guarded, require, Array, ArrayMut, Refusal};
use bits::Bits;
use needs::{Given, Need};
use search::{Goal, Search};

/// All is known.
pub const COMPLETE: i64 = 0;
/// The cover is minimal; what minimal covers have in common is not known.
pub const MINIMAL: i64 = 1;
/// The steps were over first.
pub const UNSOLVED: i64 = 2;

/// So many minimal covers are looked for even where fewer are counted: faster than to ask for items.
const ENOUGH: usize = 1000;
/// Rounds of finding shares, and the steps of the search with them: for most components and others.
const FEW_ROUNDS: (usize, i64) = (20, 1_000);
const MANY_ROUNDS: (usize, i64) = (160, i64::MAX);
const MEMBERS_A_STEP: usize = 100;

/// Finds the minimal covers of needs, as `solve_by_search` of `core/solvers/cover` defines them.
///
/// `items` of alternatives, whose offsets are `alternatives`, of needs, whose offsets are `needs`;
/// `known` are the items of a cover. Writes `n_items` places each to `sets`: the cover, the items
/// in every and those in any minimal cover; to `told`: how far it came, a bound of the size of all
/// covers, how many minimal ones were found up to `max_covers` (0 = one is enough), 1 if they are all, and the steps.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_cover(
    items: Array<i64>,
    alternatives: Array<i64>,
    needs: Array<i64>,
    known: Array<i64>,
    n_items: usize,
    max_covers: i64,
    steps: i64,
    sets: ArrayMut<u8>,
    told: ArrayMut<i64>,
) -> i32 {
    guarded(|| {
        let (items, alternatives, needs) = (items.slice(), alternatives.slice(), needs.slice());
        let (known, sets, told) = (known.slice(), sets.slice(), told.slice());
        let alternatives = checked_offsets(alternatives, items.len())?;
        let needs = checked_offsets(needs, alternatives.len() - 1)?;
        require(needs.len() > 1 && max_covers >= 0 && told.len() == 5)?;
        require(n_items.checked_mul(3) == Some(sets.len()))?;
        require(known.iter().all(|&item| item >= 0 && (item as usize) < n_items))?;
        let given = Given { items, alternatives, needs, n_items };
        let effort = Effort { max_covers: max_covers as usize, steps };
        match n_items {
            0..=64 => answer::<1>(&given, known, effort, sets, told),
            65..=128 => answer::<2>(&given, known, effort, sets, told),
            129..=256 => answer::<4>(&given, known, effort, sets, told),
            257..=512 => answer::<8>(&given, known, effort, sets, told),
            _ => Err(Refusal::TooLarge),
        }
    })
}

#[derive(Clone, Copy)]
struct Effort {
    max_covers: usize,
    steps: i64,
}

fn answer<const W: usize>(
    given: &Given,
    known: &[i64],
    effort: Effort,
    sets: &mut [u8],
    told: &mut [i64],
) -> Result<(), Refusal> {
    let known = known.iter().fold(Bits::EMPTY, |set, &item| set.with(item as usize));
    let mut needs = given.read::<W>()?;
    let is_met =
        |need: &Need<W>| need.alternatives.iter().any(|one| one.without(&known).is_empty());
    require(needs.iter().all(is_met))?;
    let mut hunt = Hunt { n_items: given.n_items, left: effort.steps, cover: known, lower: 0 };
    let is_minimal = hunt.smallest(&mut needs).is_some();
    let asks_more = is_minimal && effort.max_covers > 0;
    let common = if asks_more { hunt.common(&needs, effort.max_covers) } else { None };
    let stage = match &common {
        Some(_) => COMPLETE,
        None if hunt.lower == hunt.cover.len() => MINIMAL,
        None => UNSOLVED,
    };
    let common = common.unwrap_or_else(Common::unknown);
    sets.fill(0);
    for (set, row) in
        [hunt.cover, common.every, common.possible].iter().zip(sets.chunks_mut(given.n_items))
    {
        set.items().for_each(|item| row[item] = 1);
    }
    let n_steps = effort.steps - hunt.left;
    let (n, exact) = (common.n_covers as i64, i64::from(common.are_all));
    told.copy_from_slice(&[stage, hunt.lower as i64, n, exact, n_steps]);
    Ok(())
}

/// What all minimal covers have in common.
struct Common<const W: usize> {
    every: Bits<W>,
    possible: Bits<W>,
    n_covers: usize,
    are_all: bool,
}

impl<const W: usize> Common<W> {
    fn unknown() -> Self {
        Common { every: Bits::EMPTY, possible: Bits::EMPTY, n_covers: 0, are_all: false }
    }
}

struct Hunt<const W: usize> {
    n_items: usize,
    left: i64,
    cover: Bits<W>,
    lower: usize,
}

impl<const W: usize> Hunt<W> {
    /// Finds a minimal cover, unless the steps are over first.
    fn smallest(&mut self, needs: &mut [Need<W>]) -> Option<()> {
        self.lower = self.bound(needs);
        for (rounds, steps) in [FEW_ROUNDS, MANY_ROUNDS] {
            if self.lower < self.cover.len() {
                let n_members: usize = needs.iter().map(|need| need.members.len()).sum();
                self.left -= (rounds * n_members / MEMBERS_A_STEP) as i64;
                bound::share(needs, self.n_items, rounds, self.cover.len());
                self.lower = self.lower.max(self.bound(needs));
            }
            if self.lower == self.cover.len() || self.is_searched(needs, steps) {
                self.lower = self.cover.len();
                return Some(());
            }
        }
        None
    }

    fn bound(&self, needs: &[Need<W>]) -> usize {
        Search::new(needs, self.n_items, Goal::Smallest, 0, 0).lower()
    }

    /// Returns whether no cover is smaller than the one it leaves.
    fn is_searched(&mut self, needs: &[Need<W>], steps: i64) -> bool {
        let (most, steps) = (self.cover.len() - 1, steps.min(self.left));
        let mut search = Search::new(needs, self.n_items, Goal::Smallest, most, steps);
        let outcome = search.run(Bits::EMPTY, Bits::EMPTY);
        self.left -= steps - search.steps_left;
        self.cover = search.found.pop().unwrap_or(self.cover);
        outcome.is_ok()
    }

    /// Finds out what the minimal covers have in common, unless the steps are over first.
    fn common(&mut self, needs: &[Need<W>], max_covers: usize) -> Option<Common<W>> {
        let n = max_covers.max(ENOUGH);
        let found = self.covers(needs, n, Bits::EMPTY, Bits::EMPTY)?;
        let mut common = Common {
            every: found.iter().fold(self.cover, |all, one| all.and(one)),
            possible: found.iter().fold(Bits::EMPTY, |all, one| all.or(one)),
            n_covers: found.len().min(max_covers),
            are_all: found.len() <= max_covers,
        };
        let first = |a: Bits<W>, b: &Bits<W>| if b.comes_before(&a) { *b } else { a };
        self.cover = found.iter().fold(self.cover, first);
        if found.len() > n {
            self.complete(needs, &mut common)?;
        }
        Some(common)
    }

    /// Asks for each item that is in none of the covers found, or in all, whether that is so.
    fn complete(&mut self, needs: &[Need<W>], common: &mut Common<W>) -> Option<()> {
        let union = needs.iter().flat_map(|need| &need.alternatives);
        let union = union.fold(Bits::EMPTY, |all, one| all.or(one));
        for item in union.without(&common.possible).items() {
            let one = Bits::EMPTY.with(item);
            if common.possible.has(item) {
                continue;
            }
            for cover in self.covers(needs, 0, one, Bits::EMPTY)? {
                common.possible = common.possible.or(&cover);
                common.every = common.every.and(&cover);
            }
        }
        let candidates = common.every;
        for item in candidates.items() {
            if common.every.has(item) {
                for cover in self.covers(needs, 0, Bits::EMPTY, Bits::EMPTY.with(item))? {
                    common.every = common.every.and(&cover);
                }
            }
        }
        Some(())
    }

    /// Returns minimal covers with and without items: all, or one more than `n`.
    fn covers(
        &mut self,
        needs: &[Need<W>],
        n: usize,
        chosen: Bits<W>,
        banned: Bits<W>,
    ) -> Option<Vec<Bits<W>>> {
        let most = self.cover.len();
        let mut search = Search::new(needs, self.n_items, Goal::All(n), most, self.left);
        let outcome = search.run(chosen, banned);
        self.left = search.steps_left;
        (outcome.is_ok() || search.found.len() > n).then_some(search.found)
    }
}
