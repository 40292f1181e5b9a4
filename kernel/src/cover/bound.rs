//! Bounds from below: a feasible solution of the dual of the linear relaxation.
//!
//! minimise sum x_i, where for each need the sum of y_a is at least 1, and for each need n and item i
//! of it the sum of y_a over its alternatives with i is at most x_i. Dual: each item's cost is cut
//! into shares w_ni, at most 1 in all; a need counts for the least sum of shares that any of its
//! alternatives has. Shares are whole numbers, so that a bound is exact.

use super::bits::Bits;
use super::needs::{Need, MOST_ALTERNATIVES, WHOLE};

/// What may be counted at one node, with room to count in.
pub struct Counting {
    left: Vec<i64>,
    sums: [i64; MOST_ALTERNATIVES],
    given: Vec<i64>,
    /// What each need took of each of its items.
    taken: Vec<i64>,
}

impl Counting {
    pub fn new(n_items: usize, n_members: usize) -> Counting {
        let taken = vec![0; n_members];
        Counting { left: vec![WHOLE; n_items], sums: [0; MOST_ALTERNATIVES], given: vec![], taken }
    }

    /// Returns what the needs cost at least beyond what is chosen, in parts of `WHOLE`.
    ///
    /// Each need is sure of its shares; what they leave of an item goes to the first who can use
    /// it. Stops once it is more than `enough`.
    pub fn count<const W: usize>(
        &mut self,
        needs: &[Need<W>],
        shares: &[i64],
        active: &[u32],
        chosen: &Bits<W>,
        banned: &Bits<W>,
        enough: i64,
    ) -> i64 {
        self.left.fill(WHOLE);
        for &need in active {
            let need = &needs[need as usize];
            let alive = alive(need, banned);
            for (member, share) in need.members.iter().zip(&shares[need.begin..]) {
                if member.within & alive != 0 {
                    self.left[member.item] -= share;
                }
            }
        }
        let mut total = 0;
        for &need in active {
            total += self.raise(&needs[need as usize], shares, chosen, banned);
            if total > enough {
                break;
            }
        }
        total
    }

    /// Returns the items that would cost more than what is left to spend, after `count` went through.
    ///
    /// What no need took of an item is its reduced cost: with the item chosen the bound is higher
    /// by as much.
    pub fn dear<const W: usize>(&self, to_spend: i64) -> Bits<W> {
        let dear = |&(_, &left): &(usize, &i64)| left > to_spend;
        self.left.iter().enumerate().filter(dear).fold(Bits::EMPTY, |set, (item, _)| set.with(item))
    }

    /// Returns what a need can count for, and takes as little as possible for it.
    fn raise<const W: usize>(
        &mut self,
        need: &Need<W>,
        shares: &[i64],
        chosen: &Bits<W>,
        banned: &Bits<W>,
    ) -> i64 {
        let alive = alive(need, banned);
        let n = need.alternatives.len();
        self.sums[..n].fill(0);
        self.given.clear();
        for (member, share) in need.members.iter().zip(&shares[need.begin..]) {
            let counts = member.within & alive != 0 && !chosen.has(member.item);
            let given = if counts { share + self.left[member.item] } else { 0 };
            self.given.push(given);
            each(member.within & alive, |place| self.sums[place] += given);
        }
        let mut least = i64::MAX;
        each(alive, |place| least = least.min(self.sums[place]));
        each(alive, |place| self.sums[place] -= least);
        for (at, (member, &given)) in need.members.iter().zip(&self.given).enumerate() {
            let within = member.within & alive;
            if within == 0 || chosen.has(member.item) {
                continue;
            }
            let mut spare = given;
            each(within, |place| spare = spare.min(self.sums[place]));
            each(within, |place| self.sums[place] -= spare);
            self.left[member.item] = spare;
            self.taken[need.begin + at] = given - spare;
        }
        least
    }
}

/// Returns which alternatives have no banned item.
pub fn alive<const W: usize>(need: &Need<W>, banned: &Bits<W>) -> u64 {
    let mut alive = 0;
    for (place, alternative) in need.alternatives.iter().enumerate() {
        alive |= u64::from(!alternative.meets(banned)) << place;
    }
    alive
}

pub fn each(mut places: u64, mut take: impl FnMut(usize)) {
    while places != 0 {
        take(places.trailing_zeros() as usize);
        places &= places - 1;
    }
}

/// A need as shares are sought for it: which members are open at a node, in which alternatives.
struct OpenNeed {
    alive: u64,
    begin: usize,
    end: usize,
}

/// A member that is neither chosen nor only in alternatives with a banned item.
struct OpenMember {
    within: u64,
    place: usize,
}

/// Finds shares that make needs count for much, by subgradient steps.
pub struct Sharing {
    needs: Vec<OpenNeed>,
    members: Vec<OpenMember>,
    owners: Vec<Vec<u32>>,
    shares: Vec<f64>,
    best: Vec<f64>,
    slope: Vec<u32>,
}

impl Sharing {
    pub fn new(n_items: usize) -> Sharing {
        Sharing {
            needs: Vec::new(),
            members: Vec::new(),
            owners: vec![Vec::new(); n_items],
            shares: Vec::new(),
            best: Vec::new(),
            slope: Vec::new(),
        }
    }

    /// Takes the needs of a node; returns how many members are open.
    pub fn open<const W: usize>(
        &mut self,
        needs: &[Need<W>],
        active: &[u32],
        chosen: &Bits<W>,
        banned: &Bits<W>,
    ) -> usize {
        self.needs.clear();
        self.members.clear();
        self.owners.iter_mut().for_each(Vec::clear);
        for &need in active {
            let need = &needs[need as usize];
            let alive = alive(need, banned);
            let begin = self.members.len();
            for (at, member) in need.members.iter().enumerate() {
                let within = member.within & alive;
                if within != 0 && !chosen.has(member.item) {
                    self.owners[member.item].push(self.members.len() as u32);
                    self.members.push(OpenMember { within, place: need.begin + at });
                }
            }
            self.needs.push(OpenNeed { alive, begin, end: self.members.len() });
        }
        self.members.len()
    }

    /// Begins with each item cut into equal shares.
    pub fn begin_equal(&mut self) {
        self.shares.clear();
        self.shares.resize(self.members.len(), 0.0);
        for owners in &self.owners {
            owners.iter().for_each(|&at| self.shares[at as usize] = 1.0 / owners.len() as f64);
        }
    }

    /// Begins with what the needs took of the items when they were counted.
    pub fn begin_with(&mut self, counting: &Counting) {
        let taken = |member: &OpenMember| counting.taken[member.place] as f64 / WHOLE as f64;
        self.shares.clear();
        self.shares.extend(self.members.iter().map(taken));
    }

    /// Makes steps until the needs count for more than `enough`, or so many; writes the best shares.
    ///
    /// `target`: what they may count for at most, or need not exceed.
    pub fn improve(&mut self, rounds: usize, enough: f64, target: f64, shares: &mut [i64]) {
        let mut best = -1.0;
        let (mut pace, mut idle) = (1.0, 0);
        for _ in 0..rounds {
            let total = self.total_and_slope();
            if total > best + 1e-6 {
                best = total;
                self.best.clone_from(&self.shares);
                idle = 0;
            } else {
                idle += 1;
                if idle == 5 {
                    (pace, idle) = (pace / 1.5, 0);
                }
            }
            if best > enough {
                break;
            }
            let step = pace * (target - total).max(0.3) / self.slope.len().max(1) as f64;
            self.slope.iter().for_each(|&at| self.shares[at as usize] += step);
            self.owners.iter().for_each(|of_item| project(of_item, &mut self.shares));
        }
        if rounds > 0 {
            for (member, part) in self.members.iter().zip(&self.best) {
                // Rounded down and a little less, so that an item's shares never exceed it.
                shares[member.place] = ((part * WHOLE as f64).floor() as i64 - 1).max(0);
            }
        }
    }

    /// Returns what the needs count for; then `slope` says which shares that depends on.
    fn total_and_slope(&mut self) -> f64 {
        self.slope.clear();
        let mut total = 0.0;
        for need in &self.needs {
            let mut sums = [0.0; MOST_ALTERNATIVES];
            let members = &self.members[need.begin..need.end];
            for (member, share) in members.iter().zip(&self.shares[need.begin..need.end]) {
                each(member.within, |place| sums[place] += share);
            }
            let (mut cheapest, mut least) = (0, f64::INFINITY);
            each(need.alive, |place| {
                if sums[place] < least {
                    (cheapest, least) = (place, sums[place]);
                }
            });
            total += least;
            for (at, member) in members.iter().enumerate() {
                if member.within >> cheapest & 1 == 1 {
                    self.slope.push((need.begin + at) as u32);
                }
            }
        }
        total
    }
}

/// Moves the shares of one item to the nearest that are at least 0 and at most 1 together.
fn project(owners: &[u32], shares: &mut [f64]) {
    let mut cut = 0.0;
    loop {
        let above = owners.iter().map(|&place| shares[place as usize]).filter(|&one| one > cut);
        let (sum, n) = above.fold((0.0, 0), |(sum, n), one| (sum + one, n + 1));
        let next = (sum - 1.0) / f64::from(n.max(1));
        if next <= cut + 1e-12 {
            break;
        }
        cut = next;
    }
    if cut > 0.0 {
        for &place in owners {
            shares[place as usize] = (shares[place as usize] - cut).max(0.0);
        }
    }
}
