//! The needs of one component as the search reads them.

use super::bits::Bits;
use crate::boundary::{require, Refusal};

/// More alternatives of one need are left to the caller.
pub const MOST_ALTERNATIVES: usize = 64;

/// What one unit of an item's cost is cut into, so that shares are whole numbers.
pub const WHOLE: i64 = 1 << 20;

/// An item of a need, and in which of its alternatives it is.
pub struct Member {
    pub item: usize,
    pub within: u64,
}

pub struct Need<const W: usize> {
    pub alternatives: Vec<Bits<W>>,
    /// All items, those of most needs first.
    pub members: Vec<Member>,
    /// Which part of each member's cost this need may count on.
    pub shares: Vec<i64>,
}

/// Needs as the caller passes them: items of alternatives, alternatives of needs.
pub struct Given<'a> {
    pub items: &'a [i64],
    pub alternatives: &'a [i64],
    pub needs: &'a [i64],
    pub n_items: usize,
}

impl Given<'_> {
    pub fn read<const W: usize>(&self) -> Result<Vec<Need<W>>, Refusal> {
        let is_item = |&item: &i64| item >= 0 && (item as usize) < self.n_items;
        require(self.items.iter().all(is_item) && self.n_items <= 64 * W)?;
        let mut needs = Vec::with_capacity(self.needs.len() - 1);
        let mut n_needs_of = vec![0usize; self.n_items];
        for range in self.needs.windows(2) {
            let alternatives: Vec<Bits<W>> =
                (range[0] as usize..range[1] as usize).map(|one| self.alternative(one)).collect();
            require(!alternatives.is_empty() && !alternatives.iter().any(Bits::is_empty))?;
            if alternatives.len() > MOST_ALTERNATIVES {
                return Err(Refusal::TooLarge);
            }
            let union = alternatives.iter().fold(Bits::EMPTY, |all, one| all.or(one));
            let mut members = Vec::new();
            for item in union.items() {
                n_needs_of[item] += 1;
                let holds = |(place, one): (usize, &Bits<W>)| u64::from(one.has(item)) << place;
                members.push(Member {
                    item,
                    within: alternatives.iter().enumerate().map(holds).sum(),
                });
            }
            let shares = vec![0; members.len()];
            needs.push(Need { alternatives, members, shares });
        }
        for need in &mut needs {
            need.members.sort_by_key(|member| (usize::MAX - n_needs_of[member.item], member.item));
        }
        Ok(needs)
    }

    fn alternative<const W: usize>(&self, number: usize) -> Bits<W> {
        let range = self.alternatives[number] as usize..self.alternatives[number + 1] as usize;
        self.items[range].iter().fold(Bits::EMPTY, |set, &item| set.with(item as usize))
    }
}
