//! One part: a minimal cover of it, then what all minimal ones have in common.

use super::bits::Bits;
use super::bound::Sharing;
use super::core::Core;
use super::needs::{needs_of, read, Need};
use super::presolve::Left;
use super::random::Random;
use super::rough::Rough;
use super::search::{Goal, Search, MEMBERS_A_STEP};
use super::sets::Set;
use super::{COMPLETE, MINIMAL, UNSOLVED};

/// So many minimal covers are looked for even where fewer are counted: faster than to ask for items.
const ENOUGH: usize = 1000;
/// Rounds of finding shares, and the steps of the search with them: for most parts and others.
const FEW_ROUNDS: (usize, i64) = (20, 1_000);
const MANY_ROUNDS: (usize, i64) = (160, i64::MAX);
/// Of so few needs a search of so many steps without shares takes less than to find them.
const FEW_NEEDS: (usize, i64) = (8, 50);
/// How many pairs of needs are looked at in a step.
const PAIRS_A_STEP: usize = 50;
/// A bound is near where what lacks is so many times in the size of a cover.
const NEAR: usize = 12;
/// So many steps are spent on shares even when none are left: bounds without any are poor.
const FREE_STEPS: i64 = 600;

/// Smaller covers are looked for in rounds: so many in vain, of so many steps, freeing so many items.
const IDLE_ROUNDS: usize = 100;
const STEPS_A_ROUND: i64 = 200;
const LEAST_FREED: usize = 6;
const MOST_FREED: usize = 40;

/// What is asked for, and the steps that are left for it.
pub struct Effort {
    pub max_covers: usize,
    pub left: i64,
    pub of_a_part: i64,
    /// So many steps of a search are made before the core of a part is sought.
    pub before_core: i64,
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

    /// Returns all there is to know of one need by itself: the smallest alternatives are the minimal
    /// covers, however many it has.
    pub fn of_one(need: &Left, rough: &Rough, max_covers: usize) -> Found {
        let fewest = need.fewest();
        if max_covers == 0 {
            return Found { stage: MINIMAL, n_covers: 1, ..Found::nothing(rough) };
        }
        let n_items = rough.cover.len();
        let (mut n, mut n_with, mut first) = (0, vec![0; n_items], None);
        for set in need.alternatives.iter().filter(|set| set.len() == fewest) {
            n += 1;
            set.iter().for_each(|&item| n_with[item as usize] += 1);
            first = first.map_or(Some(set), |before: &Set| Some(before.min(set)));
        }
        let is_first = |item: u32| first.is_some_and(|set| set.contains(&item));
        Found {
            stage: COMPLETE,
            lower: fewest,
            cover: (0..n_items as u32).map(is_first).collect(),
            every: n_with.iter().map(|&of| of == n).collect(),
            possible: n_with.iter().map(|&of| of > 0).collect(),
            n_covers: n.min(max_covers),
            are_all: n <= max_covers,
        }
    }
}

/// Returns the minimal covers of a part, or what is known of them when the steps are over; None =
/// it is too large.
pub fn solve<const W: usize>(left: &[Left], rough: &Rough, effort: &mut Effort) -> Option<Found> {
    let n_items = rough.cover.len();
    let needs = needs_of(&read::<W>(left)?, n_items);
    let cover = (0..n_items).filter(|&item| rough.cover[item]);
    let cover = cover.fold(Bits::EMPTY, |set: Bits<W>, item| set.with(item));
    let steps = effort.left.min(effort.of_a_part);
    let n_members = needs.iter().map(|need| need.members.len()).sum();
    let shares = vec![0; n_members];
    let mut hunt = Hunt { n_items, left: steps, cover, lower: rough.lower(), shares };
    let is_minimal = hunt.smallest(&needs, effort.before_core).is_some();
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
    fn smallest(&mut self, needs: &[Need<W>], before_core: i64) -> Option<()> {
        let nothing = Bits::EMPTY;
        if needs.len() <= FEW_NEEDS.0
            && self.is_settled(needs, &nothing, FEW_NEEDS.1.min(before_core))
        {
            return Some(());
        }
        for (rounds, steps) in [FEW_ROUNDS, MANY_ROUNDS] {
            if self.lower < self.cover.len() {
                self.bound(needs, &nothing, rounds);
            }
            if self.is_settled(needs, &nothing, steps.min(before_core)) {
                return Some(());
            }
            if self.left <= 0 {
                return None;
            }
        }
        let own = self.shares.clone();
        let is_settled = self.is_settled_by_core(needs);
        self.shares = own;
        is_settled.then_some(())
    }

    /// Returns whether the cover is known to be minimal after a search of the needs as a core.
    fn is_settled_by_core(&mut self, needs: &[Need<W>]) -> bool {
        let given = needs.iter().map(|need| need.alternatives.clone()).collect();
        let mut core = Core::of(given, self.n_items);
        self.left -= (needs.len() * needs.len() / PAIRS_A_STEP) as i64;
        if core.needs.is_empty() {
            (self.cover, self.lower) = (core.forced, core.forced.len());
            return true;
        }
        let mut listed = needs_of(&core.needs, self.n_items);
        self.bound(&listed, &core.forced, MANY_ROUNDS.0);
        self.improve(&listed, &core.forced);
        if self.lower < self.cover.len() && self.is_near() {
            core.join(self.n_items);
            listed = needs_of(&core.needs, self.n_items);
            self.bound(&listed, &core.forced, MANY_ROUNDS.0);
        }
        self.is_settled(&listed, &core.forced, MANY_ROUNDS.1)
    }

    /// Finds shares, and what follows for the size of a cover.
    fn bound(&mut self, needs: &[Need<W>], forced: &Bits<W>, rounds: usize) {
        let n_members = needs.iter().map(|need| need.members.len()).sum();
        self.shares.clear();
        self.shares.resize(n_members, 0);
        if needs.is_empty() {
            return;
        }
        self.share(needs, forced, rounds);
        let shares = &self.shares;
        let lower = Search::new(needs, shares, self.n_items, Goal::Smallest, 0, 0).lower();
        self.lower = self.lower.max(forced.len() + lower);
    }

    /// Returns whether the cover is then known to be minimal.
    fn is_settled(&mut self, needs: &[Need<W>], forced: &Bits<W>, steps: i64) -> bool {
        if self.lower == self.cover.len() || self.is_searched(needs, forced, steps) {
            self.lower = self.cover.len();
            return true;
        }
        false
    }

    /// Looks for smaller covers: part of the known one is taken back, and found anew.
    fn improve(&mut self, needs: &[Need<W>], forced: &Bits<W>) {
        let mut random = Random(1);
        let mut search = Search::new(needs, &self.shares, self.n_items, Goal::Smallest, 0, 0);
        let (mut cover, mut idle) = (self.cover, 0);
        while idle < IDLE_ROUNDS && self.left > 0 && self.lower < self.cover.len() {
            idle += 1;
            let freed = self.freed(needs, &cover, &mut random);
            search.most = cover.len();
            search.steps_left = STEPS_A_ROUND.min(self.left);
            self.left -= search.steps_left;
            let _ = search.run(cover.without(&freed).or(forced), Bits::EMPTY);
            self.left += search.steps_left.max(0);
            cover = search.found.pop().unwrap_or(cover);
            if cover.len() < self.cover.len() {
                (self.cover, idle) = (cover, 0);
            }
        }
    }

    /// Returns items of a cover, of needs that lie together or any.
    fn freed(&self, needs: &[Need<W>], cover: &Bits<W>, random: &mut Random) -> Bits<W> {
        let n = LEAST_FREED + random.below(MOST_FREED - LEAST_FREED);
        let mut freed = Bits::EMPTY;
        if random.below(2) == 0 {
            let items: Vec<usize> = cover.items().collect();
            (0..n).for_each(|_| freed = freed.with(items[random.below(items.len())]));
            return freed;
        }
        let mut near = union(&needs[random.below(needs.len())]);
        for _ in 0..needs.len() {
            freed = cover.and(&near);
            if freed.len() >= n {
                break;
            }
            let first = random.below(needs.len());
            let order = (first..needs.len()).chain(0..first);
            let mut unions = order.map(|need| union(&needs[need]));
            match unions.find(|one| one.meets(&near) && !one.without(&near).is_empty()) {
                Some(one) => near = near.or(&one),
                None => break,
            }
        }
        freed
    }

    fn share(&mut self, needs: &[Need<W>], forced: &Bits<W>, rounds: usize) {
        let n_members = self.shares.len();
        let affordable = self.left.max(FREE_STEPS) as usize * MEMBERS_A_STEP / n_members;
        let rounds = rounds.min(affordable);
        self.left -= (rounds * n_members / MEMBERS_A_STEP) as i64;
        let mut sharing = Sharing::new(self.n_items);
        let active: Vec<u32> = (0..needs.len() as u32).collect();
        sharing.open(needs, &active, &Bits::EMPTY, &Bits::EMPTY);
        sharing.begin_equal();
        let target = (self.cover.len() - forced.len()) as f64;
        sharing.improve(rounds, f64::INFINITY, target, &mut self.shares);
    }

    /// Returns whether shares sought again at nodes may pay: only where the relaxation is near h.
    fn is_near(&self) -> bool {
        (self.cover.len() - self.lower) * NEAR <= self.cover.len()
    }

    /// Returns whether no cover is smaller than the one it leaves.
    fn is_searched(&mut self, needs: &[Need<W>], forced: &Bits<W>, steps: i64) -> bool {
        let (most, steps) = (self.cover.len() - 1, steps.min(self.left));
        let mut search =
            Search::new(needs, &self.shares, self.n_items, Goal::Smallest, most, steps);
        if steps > FEW_ROUNDS.1 && self.is_near() {
            search = search.share_again();
        }
        let outcome = search.run(*forced, Bits::EMPTY);
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

fn union<const W: usize>(need: &Need<W>) -> Bits<W> {
    need.members.iter().fold(Bits::EMPTY, |all, member| all.with(member.item))
}
