//! One part: a minimal cover of it, then what all minimal ones have in common.

use super::bits::Bits;
use super::bound::Sharing;
use super::needs::{read, Need};
use super::presolve::Left;
use super::rough::Rough;
use super::search::{Goal, Search, MEMBERS_A_STEP};
use super::{COMPLETE, MINIMAL, UNSOLVED};

/// So many minimal covers are looked for even where fewer are counted: faster than to ask for items.
const ENOUGH: usize = 1000;
/// Rounds of finding shares, and the steps of the search with them: for most parts and others.
const FEW_ROUNDS: (usize, i64) = (20, 1_000);
const MANY_ROUNDS: (usize, i64) = (160, i64::MAX);
/// A bound is near where what lacks is so many times in the size of a cover.
const NEAR: usize = 12;
/// So many steps are spent on shares even when none are left: bounds without any are poor.
const FREE_STEPS: i64 = 600;

/// What is asked for, and the steps that are left for it.
pub struct Effort {
    pub max_covers: usize,
    pub left: i64,
    pub of_a_part: i64,
}

/// What is known of a part; items are numbered from 0 among its own.
pub struct Found {
    pub stage: i64,
    pub lower: usize,
    pub cover: Vec<bool>,
    pub every: Vec<bool>,
    pub possible: Vec<bool>,
    pub n_covers: usize,
    pub are_all: bool,
}

impl Found {
    /// Returns what is known without search.
    pub fn nothing(rough: &Rough) -> Found {
        Found {
            stage: UNSOLVED,
            lower: rough.lower(),
            cover: rough.cover.clone(),
            every: vec![false; rough.cover.len()],
            possible: vec![true; rough.cover.len()],
            n_covers: 0,
            are_all: false,
        }
    }
}

/// Returns the minimal covers of a part, or what is known of them when the steps are over; None =
/// it is too large.
pub fn solve<const W: usize>(left: &[Left], rough: &Rough, effort: &mut Effort) -> Option<Found> {
    let n_items = rough.cover.len();
    let needs = read::<W>(left, n_items)?;
    let cover = (0..n_items).filter(|&item| rough.cover[item]);
    let cover = cover.fold(Bits::EMPTY, |set: Bits<W>, item| set.with(item));
    let steps = effort.left.min(effort.of_a_part);
    let n_members = needs.iter().map(|need| need.members.len()).sum();
    let shares = vec![0; n_members];
    let mut hunt = Hunt { n_items, left: steps, cover, lower: rough.lower(), shares };
    let is_minimal = hunt.smallest(&needs).is_some();
    let asks_more = is_minimal && effort.max_covers > 0;
    let common = if asks_more { hunt.common(&needs, effort.max_covers) } else { None };
    effort.left -= steps - hunt.left;
    let flags = |set: &Bits<W>| (0..n_items).map(|item| set.has(item)).collect::<Vec<bool>>();
    let mut found = Found { lower: hunt.lower, cover: flags(&hunt.cover), ..Found::nothing(rough) };
    if hunt.lower == hunt.cover.len() {
        (found.stage, found.n_covers) = (MINIMAL, 1);
    }
    if let Some(common) = common {
        found.stage = COMPLETE;
        (found.every, found.possible) = (flags(&common.every), flags(&common.possible));
        (found.n_covers, found.are_all) = (common.n_covers, common.are_all);
    }
    Some(found)
}

/// What all minimal covers have in common.
struct Common<const W: usize> {
    every: Bits<W>,
    possible: Bits<W>,
    n_covers: usize,
    are_all: bool,
}

struct Hunt<const W: usize> {
    n_items: usize,
    left: i64,
    cover: Bits<W>,
    lower: usize,
    /// Which part of each member's cost its need may count on.
    shares: Vec<i64>,
}

impl<const W: usize> Hunt<W> {
    /// Finds a minimal cover, unless the steps are over first.
    fn smallest(&mut self, needs: &[Need<W>]) -> Option<()> {
        for (rounds, steps) in [FEW_ROUNDS, MANY_ROUNDS] {
            if self.lower < self.cover.len() {
                self.share(needs, rounds);
                let shares = &self.shares;
                let lower = Search::new(needs, shares, self.n_items, Goal::Smallest, 0, 0).lower();
                self.lower = self.lower.max(lower);
            }
            if self.lower == self.cover.len() || self.is_searched(needs, steps) {
                self.lower = self.cover.len();
                return Some(());
            }
            if self.left <= 0 {
                break;
            }
        }
        None
    }

    fn share(&mut self, needs: &[Need<W>], rounds: usize) {
        let n_members = self.shares.len();
        let affordable = self.left.max(FREE_STEPS) as usize * MEMBERS_A_STEP / n_members;
        let rounds = rounds.min(affordable);
        self.left -= (rounds * n_members / MEMBERS_A_STEP) as i64;
        let mut sharing = Sharing::new(self.n_items);
        let active: Vec<u32> = (0..needs.len() as u32).collect();
        sharing.open(needs, &active, &Bits::EMPTY, &Bits::EMPTY);
        sharing.begin_equal();
        sharing.improve(rounds, f64::INFINITY, self.cover.len() as f64, &mut self.shares);
    }

    /// Returns whether shares sought again at nodes may pay: only where the relaxation is near h.
    fn is_near(&self, steps: i64) -> bool {
        steps > FEW_ROUNDS.1 && (self.cover.len() - self.lower) * NEAR <= self.cover.len()
    }

    /// Returns whether no cover is smaller than the one it leaves.
    fn is_searched(&mut self, needs: &[Need<W>], steps: i64) -> bool {
        let (most, steps) = (self.cover.len() - 1, steps.min(self.left));
        let mut search =
            Search::new(needs, &self.shares, self.n_items, Goal::Smallest, most, steps);
        if self.is_near(steps) {
            search = search.share_again();
        }
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
        let goal = Goal::All(n);
        let mut search = Search::new(needs, &self.shares, self.n_items, goal, most, self.left);
        let outcome = search.run(chosen, banned);
        self.left = search.steps_left;
        (outcome.is_ok() || search.found.len() > n).then_some(search.found)
    }
}
