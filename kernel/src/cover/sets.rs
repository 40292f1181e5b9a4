//! Small sets of numbers as ascending lists, where there are many numbers and few in each set.

use std::cmp::Ordering;

pub type Set = Vec<u32>;

/// Returns whether all of the one are in the other.
pub fn within(one: &[u32], other: &[u32]) -> bool {
    let mut rest = other.iter();
    one.len() <= other.len() && one.iter().all(|item| rest.any(|there| there == item))
}

/// Returns the sets that hold no other one, ascending and each once.
pub fn minimal(mut sets: Vec<Set>) -> Vec<Set> {
    if sets.len() < 2 {
        return sets;
    }
    sets.sort_by_key(Vec::len);
    let mut kept: Vec<Set> = Vec::with_capacity(sets.len());
    for set in sets {
        if !kept.iter().any(|smaller| within(smaller, &set)) {
            kept.push(set);
        }
    }
    kept.sort_by(as_number);
    kept
}

/// Compares sets as Python's numbers whose bits they are.
fn as_number(one: &Set, other: &Set) -> Ordering {
    one.iter().rev().cmp(other.iter().rev())
}

/// Compares lists of sets as Python's tuples of such numbers.
pub fn as_numbers(one: &[Set], other: &[Set]) -> Ordering {
    for (a, b) in one.iter().zip(other) {
        let order = as_number(a, b);
        if order != Ordering::Equal {
            return order;
        }
    }
    one.len().cmp(&other.len())
}

/// Returns what all sets have; nothing when there are none.
pub fn common(sets: &[Set]) -> Set {
    let Some((first, others)) = sets.split_first() else { return Set::new() };
    let in_all = |item: &&u32| others.iter().all(|set| set.contains(item));
    first.iter().filter(in_all).copied().collect()
}

/// Returns what any of the sets has.
pub fn union<'a>(sets: impl Iterator<Item = &'a Set>) -> Set {
    let mut all: Set = sets.flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
