//! Bounds from below: a feasible solution of the dual of the linear relaxation.
//!
//! minimise sum x_i, where for each need the sum of y_a is at least 1, and for each need n and item i
//! of it the sum of y_a over its alternatives with i is at most x_i. Dual: each item's cost is cut
//! into shares w_ni, at most 1 in all; a need counts for the least sum of shares that any of its
//! alternatives has. Shares are whole numbers, so that a bound is exact.

use super::bits::Bits;
use super::needs::{Member, Need, MOST_ALTERNATIVES, WHOLE};

/// What may be counted at one node, with room to count in.
pub struct Counting {
    left: Vec<i64>,
    sums: [i64; MOST_ALTERNATIVES],
    given: Vec<i64>,
}

impl Counting {
    pub fn new(n_items: usize) -> Counting {
        Counting { left: vec![WHOLE; n_items], sums: [0; MOST_ALTERNATIVES], given: Vec::new() }
    }

    /// Returns what the needs cost at least beyond what is chosen, in parts of `WHOLE`.
    ///
    /// Each need is sure of its shares; what they leave of an item goes to the first who can use
    /// it. Stops once it is more than `enough`.
    pub fn count<const W: usize>(
        &mut self,
        needs: &[Need<W>],
        active: &[u32],
        chosen: &Bits<W>,
        banned: &Bits<W>,
        enough: i64,
    ) -> i64 {
        self.left.fill(WHOLE);
        for &need in active {
            let need = &needs[need as usize];
            let alive = alive(need, banned);
            for (member, share) in need.members.iter().zip(&need.shares) {
                if member.within & alive != 0 {
                    self.left[member.item] -= share;
                }
            }
        }
        let mut total = 0;
        for &need in active {
            total += self.raise(&needs[need as usize], chosen, banned);
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
    fn raise<const W: usize>(&mut self, need: &Need<W>, chosen: &Bits<W>, banned: &Bits<W>) -> i64 {
        let alive = alive(need, banned);
        let n = need.alternatives.len();
        self.sums[..n].fill(0);
        self.given.clear();
        for (member, share) in need.members.iter().zip(&need.shares) {
            let counts = member.within & alive != 0 && !chosen.has(member.item);
            let given = if counts { share + self.left[member.item] } else { 0 };
            self.given.push(given);
            each(member.within & alive, |place| self.sums[place] += given);
        }
        let mut least = i64::MAX;
        each(alive, |place| least = least.min(self.sums[place]));
        each(alive, |place| self.sums[place] -= least);
        for (member, &given) in need.members.iter().zip(&self.given) {
            let within = member.within & alive;
            if within == 0 || chosen.has(member.item) {
                continue;
            }
            let mut spare = given;
            each(within, |place| spare = spare.min(self.sums[place]));
            each(within, |place| self.sums[place] -= spare);
            self.left[member.item] = spare;
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

/// Finds shares that make the needs count for much, by subgradient steps.
pub fn share<const W: usize>(needs: &mut [Need<W>], n_items: usize, rounds: usize, target: usize) {
    let mut owners: Vec<Vec<u32>> = vec![Vec::new(); n_items];
    let members = needs.iter().flat_map(|need| &need.members);
    members.enumerate().for_each(|(place, member)| owners[member.item].push(place as u32));
    let members = needs.iter().flat_map(|need| &need.members);
    let mut shares: Vec<f64> = members.map(|one| 1.0 / owners[one.item].len() as f64).collect();
    let (mut best, mut best_shares) = (-1.0, shares.clone());
    let (mut pace, mut idle) = (1.0, 0);
    let target = target as f64;
    let mut slope: Vec<u32> = Vec::new();
    for _ in 0..rounds {
        let total = total_and_slope(needs, &shares, &mut slope);
        if total > best + 1e-6 {
            best = total;
            best_shares.clone_from(&shares);
            idle = 0;
        } else {
            idle += 1;
            if idle == 5 {
                (pace, idle) = (pace / 1.5, 0);
            }
        }
        let step = pace * (target - total).max(0.3) / slope.len().max(1) as f64;
        slope.iter().for_each(|&place| shares[place as usize] += step);
        owners.iter().for_each(|of_item| project(of_item, &mut shares));
    }
    let mut best_shares = best_shares.into_iter();
    for share in needs.iter_mut().flat_map(|need| &mut need.shares) {
        let part = best_shares.next().unwrap_or(0.0);
        // Rounded down and a little less, so that an item's shares never exceed it.
        *share = ((part * WHOLE as f64).floor() as i64 - 1).max(0);
    }
}

/// Returns what the needs count for, and writes which shares that depends on.
fn total_and_slope<const W: usize>(needs: &[Need<W>], shares: &[f64], slope: &mut Vec<u32>) -> f64 {
    slope.clear();
    let (mut total, mut begin) = (0.0, 0);
    for need in needs {
        let mut sums = [0.0; MOST_ALTERNATIVES];
        let sums = &mut sums[..need.alternatives.len()];
        for (member, share) in need.members.iter().zip(&shares[begin..]) {
            each(member.within, |place| sums[place] += share);
        }
        let cheapest = (0..sums.len()).min_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or(0);
        total += sums[cheapest];
        let within = |&(_, member): &(usize, &Member)| member.within >> cheapest & 1 == 1;
        let places = need.members.iter().enumerate().filter(within);
        slope.extend(places.map(|(place, _)| (begin + place) as u32));
        begin += need.members.len();
    }
    total
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
