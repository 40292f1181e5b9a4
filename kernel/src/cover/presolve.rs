//! A problem made smaller without losing or gaining a minimal cover, as `presolve.py` of
//! `core/solvers/cover` says and does it; which needs are left, and in which order, is the same.

use super::sets::{as_numbers, common, minimal, union, within, Set};
use crate::boundary::{require, Refusal};

/// A problem as the caller passes it: items of alternatives, alternatives of needs.
pub struct Given<'a> {
    pub items: &'a [i64],
    pub alternatives: &'a [i64],
    pub needs: &'a [i64],
    pub forbidden: &'a [i64],
    pub n_items: usize,
}

/// A need that is left: its number, and alternatives of which none holds another, ascending.
pub struct Left {
    pub number: usize,
    pub alternatives: Vec<Set>,
}

impl Left {
    /// Returns how many items the smallest alternatives have.
    pub fn fewest(&self) -> usize {
        self.alternatives.iter().map(Vec::len).min().unwrap_or(0)
    }
}

/// What is left of a problem.
pub struct Presolved {
    pub mentioned: Vec<bool>,
    pub forced: Vec<bool>,
    /// Needs that nothing satisfies; where there are any, there are no components.
    pub conflict: Vec<usize>,
    /// Needs that share no item with those of another component, none implied by another.
    pub leaves: Vec<Vec<Left>>,
}

pub fn presolve(given: &Given) -> Result<Presolved, Refusal> {
    let is_item = |&item: &i64| item >= 0 && (item as usize) < given.n_items;
    require(given.items.iter().chain(given.forbidden).all(is_item))?;
    let mut flags = vec![false; given.n_items];
    given.forbidden.iter().for_each(|&item| flags[item as usize] = true);
    let mut known = Presolved {
        mentioned: vec![false; given.n_items],
        forced: vec![false; given.n_items],
        conflict: Vec::new(),
        leaves: Vec::new(),
    };
    let mut needs = Vec::with_capacity(given.needs.len() - 1);
    for (number, range) in given.needs.windows(2).enumerate() {
        let mut alternatives = Vec::with_capacity((range[1] - range[0]) as usize);
        for one in range[0] as usize..range[1] as usize {
            let set = given.alternative(one);
            require(!set.is_empty())?;
            set.iter().for_each(|&item| known.mentioned[item as usize] = true);
            if !set.iter().any(|&item| flags[item as usize]) {
                alternatives.push(set);
            }
        }
        if alternatives.is_empty() {
            known.conflict.push(number);
        }
        let need = Left { number, alternatives: minimal(alternatives) };
        common(&need.alternatives).iter().for_each(|&item| known.forced[item as usize] = true);
        needs.push(need);
    }
    if known.conflict.is_empty() {
        known.leaves = leaves(unmet(needs, &known.forced), given.n_items);
    }
    Ok(known)
}

impl Given<'_> {
    fn alternative(&self, number: usize) -> Set {
        let range = self.alternatives[number] as usize..self.alternatives[number + 1] as usize;
        let mut set: Set = self.items[range].iter().map(|&item| item as u32).collect();
        set.sort_unstable();
        set.dedup();
        set
    }
}

/// Returns what is left of needs beside forced items, ascending by their alternatives, each once.
fn unmet(needs: Vec<Left>, forced: &[bool]) -> Vec<Left> {
    let is_forced = |&item: &u32| forced[item as usize];
    let mut left: Vec<Left> = Vec::with_capacity(needs.len());
    for mut need in needs {
        if need.alternatives.iter().any(|set| set.iter().any(is_forced)) {
            need.alternatives.iter_mut().for_each(|set| set.retain(|item| !is_forced(item)));
            if need.alternatives.iter().any(Vec::is_empty) {
                continue;
            }
            need.alternatives = minimal(need.alternatives);
        }
        left.push(need);
    }
    left.sort_by(|one, other| {
        let alternatives = as_numbers(&one.alternatives, &other.alternatives);
        alternatives.then(one.number.cmp(&other.number))
    });
    left.dedup_by(|later, earlier| later.alternatives == earlier.alternatives);
    left
}

fn leaves(needs: Vec<Left>, n_items: usize) -> Vec<Vec<Left>> {
    let mut components = split(needs, n_items, |_, need| need.number);
    components.sort_by_key(Vec::len);
    let mut leaves = Vec::with_capacity(components.len());
    for mut component in components {
        let mut implied = implied(&component).into_iter();
        let before = component.len();
        component.retain(|_| implied.next() == Some(false));
        if component.len() == before {
            leaves.push(component);
        } else {
            leaves.extend(split(component, n_items, |place, _| place));
        }
    }
    leaves
}

/// Returns needs in groups that share no item, by the last of each group in some order.
fn split(
    needs: Vec<Left>,
    n_items: usize,
    order: impl Fn(usize, &Left) -> usize,
) -> Vec<Vec<Left>> {
    let mut above: Vec<u32> = (0..n_items as u32).collect();
    for need in &needs {
        let first = top(&mut above, need.alternatives[0][0]);
        for &item in need.alternatives.iter().flatten() {
            let other = top(&mut above, item);
            above[other as usize] = first;
        }
    }
    let mut groups: Vec<(usize, Vec<Left>)> = Vec::new();
    let mut group_of = vec![usize::MAX; n_items];
    for (place, need) in needs.into_iter().enumerate() {
        let group = &mut group_of[top(&mut above, need.alternatives[0][0]) as usize];
        if *group == usize::MAX {
            *group = groups.len();
            groups.push((0, Vec::new()));
        }
        let (last, members) = &mut groups[*group];
        *last = order(place, &need).max(*last);
        members.push(need);
    }
    groups.sort_by_key(|(last, _)| *last);
    groups.into_iter().map(|(_, members)| members).collect()
}

fn top(above: &mut [u32], mut item: u32) -> u32 {
    while above[item as usize] != item {
        above[item as usize] = above[above[item as usize] as usize];
        item = above[item as usize];
    }
    item
}

/// Returns of each need whether whatever satisfies some other one satisfies it.
fn implied(component: &[Left]) -> Vec<bool> {
    let mut implied = vec![false; component.len()];
    if component.len() == 1 {
        return implied;
    }
    let mut by_least: Vec<(u32, usize, usize)> = Vec::new();
    for (number, need) in component.iter().enumerate() {
        let places = 0..need.alternatives.len();
        by_least.extend(places.map(|place| (need.alternatives[place][0], number, place)));
    }
    by_least.sort_unstable();
    for (number, need) in component.iter().enumerate() {
        let Some(smallest) = need.alternatives.iter().min_by_key(|set| set.len()) else { continue };
        for &item in smallest {
            let start = by_least.partition_point(|&(least, _, _)| least < item);
            for &(least, other, place) in &by_least[start..] {
                if least != item {
                    break;
                }
                if other != number
                    && !implied[other]
                    && within(&component[other].alternatives[place], smallest)
                    && implies(&need.alternatives, &component[other].alternatives)
                {
                    implied[other] = true;
                }
            }
        }
    }
    implied
}

fn implies(need: &[Set], other: &[Set]) -> bool {
    need.iter().all(|set| other.iter().any(|inner| within(inner, set)))
}

/// Returns all items of needs, ascending.
pub fn items_of(needs: &[Left]) -> Set {
    union(needs.iter().flat_map(|need| &need.alternatives))
}
