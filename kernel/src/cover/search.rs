//! Depth-first search over items: in the cover or not, what follows from it, and a bound.

use super::bits::Bits;
use super::bound::{alive, each, Counting};
use super::needs::{Need, WHOLE};

const FIXING_ROUNDS: usize = 4;
const NEEDS_A_STEP: usize = 16;
const HIGHEST_WORTH: u32 = 1 << 20;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// A smaller cover than all before, again and again.
    Smallest,
    /// Every cover of at most the given size, up to so many.
    All(usize),
}

pub struct Search<'a, const W: usize> {
    needs: &'a [Need<W>],
    goal: Goal,
    /// Covers may have so many items.
    pub most: usize,
    pub steps_left: i64,
    pub found: Vec<Bits<W>>,
    counting: Counting,
    worth: Vec<u32>,
    active: Vec<u32>,
}

/// The search ended early: enough was found, or the steps are over.
pub struct Ended;

impl<'a, const W: usize> Search<'a, W> {
    pub fn new(needs: &'a [Need<W>], n_items: usize, goal: Goal, most: usize, steps: i64) -> Self {
        Search {
            needs,
            goal,
            most,
            steps_left: steps,
            found: Vec::new(),
            counting: Counting::new(n_items),
            worth: vec![0; n_items],
            active: (0..needs.len() as u32).collect(),
        }
    }

    /// Looks at all covers with what is chosen and without what is banned.
    pub fn run(&mut self, chosen: Bits<W>, banned: Bits<W>) -> Result<(), Ended> {
        self.node(chosen, banned, 0, self.needs.len())
    }

    /// Returns a bound of the sizes of all covers.
    pub fn lower(&mut self) -> usize {
        let Search { needs, active, counting, .. } = self;
        let total = counting.count(needs, active, &Bits::EMPTY, &Bits::EMPTY, i64::MAX);
        ((total + WHOLE - 1) / WHOLE) as usize
    }

    /// Looks at what is below a node; the needs not met above it are `active[begin..end]`.
    fn node(
        &mut self,
        mut chosen: Bits<W>,
        mut banned: Bits<W>,
        begin: usize,
        end: usize,
    ) -> Result<(), Ended> {
        if self.steps_left <= 0 {
            return Err(Ended);
        }
        self.steps_left -= 1 + ((end - begin) / NEEDS_A_STEP) as i64;
        self.active.truncate(end);
        self.active.extend_from_within(begin..end);
        for _ in 0..FIXING_ROUNDS {
            if !self.follow(&mut chosen, &banned, end) {
                return Ok(());
            }
            let size = chosen.len();
            if self.active.len() == end {
                return self.take(chosen, size);
            }
            let enough = (self.most - size) as i64 * WHOLE;
            let Search { needs, active, counting, .. } = self;
            let total = counting.count(needs, &active[end..], &chosen, &banned, enough);
            if total > enough {
                return Ok(());
            }
            let before = banned;
            banned = banned.or(&counting.dear(enough - total).without(&chosen));
            if banned == before {
                break;
            }
        }
        let own_end = self.active.len();
        let item = self.branch(&chosen, &banned, end);
        self.node(chosen.with(item), banned, end, own_end)?;
        self.node(chosen, banned.with(item), end, own_end)
    }

    /// Leaves the needs from `start` on that are not met yet; returns whether there may be a cover.
    ///
    /// What all alternatives left of a need have is chosen.
    fn follow(&mut self, chosen: &mut Bits<W>, banned: &Bits<W>, start: usize) -> bool {
        loop {
            let before = *chosen;
            let mut kept = start;
            for at in start..self.active.len() {
                let need = self.active[at];
                match common(&self.needs[need as usize], chosen, banned) {
                    Outlook::Met => continue,
                    Outlook::Hopeless => return false,
                    Outlook::Common(items) => *chosen = chosen.or(&items),
                }
                self.active[kept] = need;
                kept += 1;
            }
            self.active.truncate(kept);
            if *chosen == before {
                break;
            }
        }
        chosen.len() + usize::from(self.active.len() > start) <= self.most
    }

    /// Returns the item to decide on: in many short alternatives that are left.
    fn branch(&mut self, chosen: &Bits<W>, banned: &Bits<W>, begin: usize) -> usize {
        self.worth.fill(0);
        for &need in &self.active[begin..] {
            let need = &self.needs[need as usize];
            each(alive(need, banned), |place| {
                let rest = need.alternatives[place].without(chosen);
                let weight = HIGHEST_WORTH >> rest.len().min(20);
                rest.items().for_each(|item| self.worth[item] += weight);
            });
        }
        let better = |best: usize, item: usize| {
            if self.worth[item] > self.worth[best] {
                item
            } else {
                best
            }
        };
        (0..self.worth.len()).fold(0, better)
    }

    fn take(&mut self, cover: Bits<W>, size: usize) -> Result<(), Ended> {
        match self.goal {
            Goal::Smallest => {
                self.found.clear();
                self.most = size - 1;
            }
            Goal::All(n) if self.found.len() >= n => {
                self.found.push(cover);
                return Err(Ended);
            }
            Goal::All(_) => {}
        }
        self.found.push(cover);
        Ok(())
    }
}

enum Outlook<const W: usize> {
    Met,
    Hopeless,
    Common(Bits<W>),
}

fn common<const W: usize>(need: &Need<W>, chosen: &Bits<W>, banned: &Bits<W>) -> Outlook<W> {
    let mut common: Option<Bits<W>> = None;
    for alternative in &need.alternatives {
        if alternative.meets(banned) {
            continue;
        }
        let rest = alternative.without(chosen);
        if rest.is_empty() {
            return Outlook::Met;
        }
        common = Some(common.map_or(rest, |items| items.and(&rest)));
    }
    common.map_or(Outlook::Hopeless, Outlook::Common)
}
