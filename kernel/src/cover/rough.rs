//! Bounds without search, as `bounds_without_search.py` finds them: a greedy cover from above, needs
//! counted apart from below.

use std::cmp::Reverse;

use super::presolve::Left;
use super::sets::{union, Set};

/// Up to here an order that compares every two needs is affordable.
const FEW_NEEDS: usize = 60;

/// What is known of needs without search; items are numbered from 0 among theirs.
pub struct Rough {
    pub cover: Vec<bool>,
    /// Needs, by their number in the problem, each with the items that it asks for beyond those of needs before.
    pub steps: Vec<(usize, usize)>,
}

impl Rough {
    pub fn lower(&self) -> usize {
        self.steps.iter().map(|&(_, n_items)| n_items).sum()
    }

    pub fn upper(&self) -> usize {
        self.cover.iter().filter(|&&is_in| is_in).count()
    }

    pub fn of(needs: &[Left], n_items: usize) -> Rough {
        let unions: Vec<Set> = needs.iter().map(|need| union(need.alternatives.iter())).collect();
        let steps = most_steps(needs, &unions, n_items);
        let order: Vec<usize> = (0..needs.len()).collect();
        let again: Vec<usize> = order.iter().rev().copied().collect();
        let often = often(needs, n_items);
        let nobody = vec![false; n_items];
        let mut rough =
            Rough { cover: pruned(needs, greedy(needs, order, &nobody, &often)), steps };
        if rough.upper() > rough.lower() {
            let other = pruned(needs, greedy(needs, again, &rough.cover, &often));
            if other.iter().filter(|&&is_in| is_in).count() < rough.upper() {
                rough.cover = other;
            }
        }
        rough
    }
}

/// Returns the best lower bound of a few orders in which needs are counted.
fn most_steps(needs: &[Left], unions: &[Set], n_items: usize) -> Vec<(usize, usize)> {
    let mut orders: Vec<Vec<usize>> = vec![
        unions.iter().map(Vec::len).collect(),
        needs
            .iter()
            .zip(unions)
            .map(|(need, union)| need.alternatives.len() * (n_items + 1) + union.len())
            .collect(),
    ];
    if needs.len() <= FEW_NEEDS {
        let meet =
            |one: &Set, other: &Set| one.iter().any(|item| other.binary_search(item).is_ok());
        orders.push(
            unions
                .iter()
                .map(|one| unions.iter().filter(|other| meet(one, other)).count())
                .collect(),
        );
    }
    let mut best: (usize, Vec<(usize, usize)>) = (0, Vec::new());
    for keys in orders {
        let mut order: Vec<usize> = (0..needs.len()).collect();
        order.sort_by_key(|&need| keys[need]);
        let steps = steps_in_order(needs, unions, &order, n_items);
        let total = steps.iter().map(|&(_, n_items)| n_items).sum();
        if total > best.0 {
            best = (total, steps);
        }
    }
    best.1
}

fn steps_in_order(
    needs: &[Left],
    unions: &[Set],
    order: &[usize],
    n_items: usize,
) -> Vec<(usize, usize)> {
    let mut counted = vec![false; n_items];
    let mut steps = Vec::new();
    for &place in order {
        let need = &needs[place];
        let fewest = need.alternatives.iter().map(|set| n_lacking(set, &counted)).min();
        if let Some(n_new @ 1..) = fewest {
            steps.push((need.number, n_new));
            unions[place].iter().for_each(|&item| counted[item as usize] = true);
        }
    }
    steps
}

fn n_lacking(set: &[u32], flags: &[bool]) -> usize {
    set.iter().filter(|&&item| !flags[item as usize]).count()
}

/// Returns of each item whether it is in several alternatives.
fn often(needs: &[Left], n_items: usize) -> Vec<bool> {
    let mut n_times = vec![0u32; n_items];
    needs
        .iter()
        .flat_map(|need| need.alternatives.iter().flatten())
        .for_each(|&item| n_times[item as usize] += 1);
    n_times.into_iter().map(|n| n > 1).collect()
}

/// Returns a cover: need by need the alternative that adds least, fewest choices first.
///
/// Of those the one with most items that are liked, then of most that are needed often.
fn greedy(needs: &[Left], mut order: Vec<usize>, liked: &[bool], often: &[bool]) -> Vec<bool> {
    order.sort_by_key(|&need| needs[need].alternatives.len());
    let mut cover = vec![false; liked.len()];
    for need in order {
        let n_with = |set: &Set, flags: &[bool]| set.len() - n_lacking(set, flags);
        let cheapest = needs[need].alternatives.iter().min_by_key(|set| {
            (n_lacking(set, &cover), Reverse(n_with(set, liked)), Reverse(n_with(set, often)))
        });
        cheapest.into_iter().flatten().for_each(|&item| cover[item as usize] = true);
    }
    cover
}

/// Returns a cover without the items that can be left out one after the other.
fn pruned(needs: &[Left], mut cover: Vec<bool>) -> Vec<bool> {
    let mut needs_of: Vec<Vec<usize>> = vec![Vec::new(); cover.len()];
    for (place, need) in needs.iter().enumerate() {
        for &item in need.alternatives.iter().flatten() {
            if cover[item as usize] && needs_of[item as usize].last() != Some(&place) {
                needs_of[item as usize].push(place);
            }
        }
    }
    for (item, touched) in needs_of.iter().enumerate() {
        if cover[item] {
            cover[item] = false;
            let is_met = |&place: &usize| {
                needs[place].alternatives.iter().any(|set| n_lacking(set, &cover) == 0)
            };
            cover[item] = !touched.iter().all(is_met);
        }
    }
    cover
}
