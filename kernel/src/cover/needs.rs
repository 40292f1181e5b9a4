//! The needs of one component as the search reads them.

use super::bits::Bits;
use super::presolve::Left;
use super::sets::Set;

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
    /// Where its members are among those of all needs.
    pub begin: usize,
}

impl<const W: usize> Need<W> {
    pub fn n_literals(&self) -> usize {
        self.members.iter().map(|member| member.within.count_ones() as usize).sum()
    }
}

/// Returns the alternatives of needs whose items are numbered from 0; None = one has too many.
pub fn read<const W: usize>(left: &[Left]) -> Option<Vec<Vec<Bits<W>>>> {
    let bits = |set: &Set| set.iter().fold(Bits::EMPTY, |bits, &item| bits.with(item as usize));
    left.iter()
        .map(|need| {
            let few = need.alternatives.len() <= MOST_ALTERNATIVES;
            few.then(|| need.alternatives.iter().map(bits).collect())
        })
        .collect()
}

/// Returns needs of alternatives.
pub fn needs_of<const W: usize>(given: &[Vec<Bits<W>>], n_items: usize) -> Vec<Need<W>> {
    let mut needs = Vec::with_capacity(given.len());
    let mut n_needs_of = vec![0usize; n_items];
    let mut begin = 0;
    for alternatives in given {
        let mut within = vec![0u64; n_items];
        for (place, set) in alternatives.iter().enumerate() {
            set.items().for_each(|item| within[item] |= 1 << place);
        }
        let held = |&(_, &within): &(usize, &u64)| within != 0;
        let members: Vec<Member> = within
            .iter()
            .enumerate()
            .filter(held)
            .map(|(item, &within)| Member { item, within })
            .collect();
        members.iter().for_each(|member| n_needs_of[member.item] += 1);
        let n_members = members.len();
        needs.push(Need { alternatives: alternatives.clone(), members, begin });
        begin += n_members;
    }
    for need in &mut needs {
        need.members.sort_by_key(|member| (usize::MAX - n_needs_of[member.item], member.item));
    }
    needs
}
