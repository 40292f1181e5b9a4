//! What is left to be decided: units that another makes useless go, features that the same units
//! have become one, and a feature that cannot pass its cap is a plain gain of its units.

use super::bound::Bound;
use crate::boundary::{checked_offsets, require, Refusal};
use std::collections::HashMap;

/// The problem as the caller has it.
pub struct Given<'a> {
    pub lengths: &'a [i64],
    pub starts: &'a [i64],
    pub features: &'a [i64],
    pub counts: &'a [i64],
    pub caps: &'a [i64],
    pub limit: i64,
}

impl<'a> Given<'a> {
    /// Returns what the caller gave, or that it contradicts itself.
    pub fn read(
        [lengths, starts, features, counts, caps]: [&'a [i64]; 5],
        limit: i64,
    ) -> Result<Given<'a>, Refusal> {
        let n_features = caps.len() as i64;
        let starts = checked_offsets(starts, features.len())?;
        require(starts.len() == lengths.len() + 1)?;
        require(counts.len() == features.len())?;
        require(features.iter().all(|&feature| (0..n_features).contains(&feature)))?;
        require(lengths.iter().all(|&length| length >= 1))?;
        require(counts.iter().chain(caps).all(|&count| count >= 1))?;
        require((0..1 << 31).contains(&limit))?;
        Ok(Given { lengths, starts, features, counts, caps, limit })
    }

    fn gains(&self, unit: usize) -> impl Iterator<Item = (usize, i64)> + '_ {
        let range = self.starts[unit] as usize..self.starts[unit + 1] as usize;
        range.map(|at| {
            let feature = self.features[at] as usize;
            (feature, self.counts[at].min(self.caps[feature]))
        })
    }
}

/// Features with the same cap that the same units have equally often.
#[derive(Clone)]
pub struct Group {
    pub weight: i64,
    pub cap: i64,
    pub counts: Vec<(usize, i64)>,
}

impl Group {
    /// Returns a number that like groups share, and others hardly ever.
    fn key(&self) -> u64 {
        let numbers = self.counts.iter().flat_map(|&(unit, count)| [unit as u64, count as u64]);
        numbers.fold(self.cap as u64, |key, number| {
            (key.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }
}

/// What is to be decided; units are its own numbers from 0 on, in the order of the caller's.
#[derive(Clone)]
pub struct Problem {
    /// The caller's number of each unit.
    pub units: Vec<usize>,
    pub lengths: Vec<i64>,
    /// What each adds whatever else is chosen.
    pub own: Vec<i64>,
    pub groups: Vec<Group>,
    /// (group, count) of each unit.
    pub of_unit: Vec<Vec<(usize, i64)>>,
    pub limit: i64,
    /// What a point of value is worth beside a point of length.
    pub scale: i64,
}

impl Problem {
    /// Returns the problem; with `keeps_ties` every set of the highest value is one of it in which
    /// no unit can be left out.
    pub fn of(given: &Given, keeps_ties: bool) -> Problem {
        let n_words = given.caps.len().div_ceil(64);
        let mut units = Vec::new();
        let (mut wanted, mut full) = (Vec::new(), Vec::new());
        let mut bringing = vec![Vec::new(); given.caps.len()];
        for unit in 0..given.lengths.len() {
            if given.lengths[unit] > given.limit || given.gains(unit).next().is_none() {
                continue;
            }
            let mut sets = (vec![0u64; n_words], vec![0u64; n_words]);
            for (feature, count) in given.gains(unit) {
                sets.0[feature / 64] |= 1 << (feature % 64);
                if count >= given.caps[feature] {
                    sets.1[feature / 64] |= 1 << (feature % 64);
                    bringing[feature].push(units.len());
                }
            }
            units.push(unit);
            wanted.push(sets.0);
            full.push(sets.1);
        }
        let is_useless = |place: usize| {
            let key = |place: usize| (given.lengths[units[place]], place);
            let rarest =
                given.gains(units[place]).map(|(f, _)| &bringing[f]).min_by_key(|b| b.len());
            rarest.is_some_and(|rivals| {
                rivals.iter().any(|&rival| {
                    key(rival) < key(place)
                        && wanted[place].iter().zip(&full[rival]).all(|(a, b)| a & !b == 0)
                })
            })
        };
        let kept: Vec<usize> =
            (0..units.len()).filter(|&p| keeps_ties || !is_useless(p)).map(|p| units[p]).collect();
        let mut counts = vec![Vec::new(); given.caps.len()];
        for (idx, &unit) in kept.iter().enumerate() {
            for (feature, count) in given.gains(unit) {
                counts[feature].push((idx, count));
            }
        }
        let lengths = kept.iter().map(|&unit| given.lengths[unit]).collect();
        let own = vec![0; kept.len()];
        let groups = counts
            .into_iter()
            .zip(given.caps)
            .map(|(counts, &cap)| (Group { weight: 1, cap, counts }, 0.0));
        Problem::grouped(kept, lengths, own, groups.collect(), (given.limit, given.limit + 1)).0
    }

    /// Makes of features groups and own gains; returns the multiplier of each group, too.
    fn grouped(
        units: Vec<usize>,
        lengths: Vec<i64>,
        mut own: Vec<i64>,
        features: Vec<(Group, f64)>,
        (limit, scale): (i64, i64),
    ) -> (Problem, Vec<f64>) {
        let mut groups: Vec<Group> = Vec::new();
        let mut multipliers: Vec<f64> = Vec::new();
        let mut known: HashMap<u64, usize> = HashMap::with_capacity(features.len());
        for (feature, multiplier) in features {
            let total: i64 = feature.counts.iter().map(|&(_, count)| count).sum();
            if feature.counts.len() == 1 || total <= feature.cap {
                for (unit, count) in feature.counts {
                    own[unit] += feature.weight * count.min(feature.cap);
                }
                continue;
            }
            let group = *known.entry(feature.key()).or_insert(groups.len());
            match groups.get_mut(group) {
                Some(like) if like.cap == feature.cap && like.counts == feature.counts => {
                    like.weight += feature.weight;
                    multipliers[group] += multiplier;
                }
                _ => {
                    groups.push(feature);
                    multipliers.push(multiplier);
                }
            }
        }
        let mut of_unit = vec![Vec::new(); units.len()];
        for (group, one) in groups.iter().enumerate() {
            for &(unit, count) in &one.counts {
                of_unit[unit].push((group, count));
            }
        }
        (Problem { units, lengths, own, groups, of_unit, limit, scale }, multipliers)
    }

    pub fn n(&self) -> usize {
        self.units.len()
    }

    /// What a unit adds to the objective beside its groups.
    pub fn own_objective(&self, unit: usize) -> i64 {
        self.scale * self.own[unit] - self.lengths[unit]
    }

    /// Returns the problem without the other units, and its bound with the same multipliers.
    pub fn restricted(&self, kept: &[usize], bound: &Bound) -> (Problem, Bound) {
        let (problem, bound, _) = self.contracted(&[], kept, bound);
        (problem, bound)
    }

    /// Returns what is left to be decided once `forced` are chosen and only `kept` may follow, its
    /// bound with the same multipliers, and what those chosen come to.
    pub fn contracted(
        &self,
        forced: &[usize],
        kept: &[usize],
        bound: &Bound,
    ) -> (Problem, Bound, i64) {
        let mut place = vec![usize::MAX; self.n()];
        for (idx, &unit) in kept.iter().enumerate() {
            place[unit] = idx;
        }
        let (mut taken, mut limit, mut objective) = (vec![0; self.groups.len()], self.limit, 0);
        for &unit in forced {
            limit -= self.lengths[unit];
            objective += self.own_objective(unit);
            for &(group, count) in &self.of_unit[unit] {
                let of = &self.groups[group];
                let added = count.min(of.cap - taken[group]);
                taken[group] += added;
                objective += self.scale * of.weight * added;
            }
        }
        let features = self.groups.iter().zip(bound.multipliers()).zip(taken);
        let features = features.filter_map(|((group, &mu), taken)| {
            let cap = group.cap - taken;
            let counts: Vec<_> = group
                .counts
                .iter()
                .filter(|&&(unit, _)| place[unit] != usize::MAX && cap > 0)
                .map(|&(unit, count)| (place[unit], count.min(cap)))
                .collect();
            (!counts.is_empty()).then_some((Group { counts, cap, weight: group.weight }, mu))
        });
        let (problem, multipliers) = Problem::grouped(
            kept.iter().map(|&unit| self.units[unit]).collect(),
            kept.iter().map(|&unit| self.lengths[unit]).collect(),
            kept.iter().map(|&unit| self.own[unit]).collect(),
            features.collect(),
            (limit, self.scale),
        );
        let bound = Bound::with(&problem, multipliers);
        (problem, bound, objective)
    }
}
