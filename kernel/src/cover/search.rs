//! Depth-first search over items: in the cover or not, what follows from it, and a bound.

use super::bits::Bits;
use super::bound::{alive, each, Counting, Sharing};
use super::needs::{Need, WHOLE};

const FIXING_ROUNDS: usize = 4;
/// So many items of alternatives are looked at in a step, which takes about a microsecond.
const LITERALS_A_STEP: usize = 100;
const ROUNDS_AT_A_NODE: usize = 24;
const FIRST_REACH: i64 = 3 * WHOLE;
pub const MEMBERS_A_STEP: usize = 100;
const HIGHEST_WORTH: u64 = 1 << 20;

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
    shares: Vec<i64>,
    again: Option<Again>,
    worth: Vec<u64>,
    /// Items of the alternatives of a need, on average.
    n_literals: usize,
    active: Vec<u32>,
}

/// Shares are sought again at nodes where that may be enough.
struct Again {
    sharing: Sharing,
    /// How much may lack, in parts of `WHOLE`.
    reach: i64,
}

/// The search ended early: enough was found, or the steps are over.
pub struct Ended;

impl<'a, const W: usize> Search<'a, W> {
    pub fn new(
        needs: &'a [Need<W>],
        shares: &[i64],
        n_items: usize,
        goal: Goal,
        most: usize,
        steps: i64,
    ) -> Self {
        Search {
            needs,
            goal,
            most,
            steps_left: steps,
            found: Vec::new(),
            counting: Counting::new(n_items, shares.len()),
            shares: shares.to_vec(),
            again: None,
            worth: vec![0; n_items],
            n_literals: needs.iter().map(Need::n_literals).sum::<usize>() / needs.len().max(1),
            active: (0..needs.len() as u32).collect(),
        }
    }

    /// Seeks shares again at nodes.
    pub fn share_again(mut self) -> Self {
        let sharing = Sharing::new(self.worth.len());
        self.again = Some(Again { sharing, reach: FIRST_REACH });
        self
    }

    /// Looks at all covers with what is chosen and without what is banned.
    pub fn run(&mut self, chosen: Bits<W>, banned: Bits<W>) -> Result<(), Ended> {
        self.node(chosen, banned, 0, self.needs.len())
    }

    /// Returns a bound of the sizes of all covers.
    pub fn lower(&mut self) -> usize {
        let Search { needs, shares, active, counting, .. } = self;
        let total = counting.count(needs, shares, active, &Bits::EMPTY, &Bits::EMPTY, i64::MAX);
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
        self.steps_left -= 1 + ((end - begin) * self.n_literals / LITERALS_A_STEP) as i64;
        self.active.truncate(end);
        self.active.extend_from_within(begin..end);
        let mut shares_above = None;
        let result = self.look(&mut chosen, &mut banned, end, &mut shares_above);
        let result = match result {
            Some(result) => result,
            None => {
                let own_end = self.active.len();
                let item = self.branch(&chosen, &banned, end);
                let first = self.node(chosen.with(item), banned, end, own_end);
                first.and_then(|()| self.node(chosen, banned.with(item), end, own_end))
            }
        };
        if let Some(shares) = shares_above {
            self.shares = shares;
        }
        result
    }

    /// Looks at the needs from `start` on; returns what came of it where that is all.
    fn look(
        &mut self,
        chosen: &mut Bits<W>,
        banned: &mut Bits<W>,
        start: usize,
        shares_above: &mut Option<Vec<i64>>,
    ) -> Option<Result<(), Ended>> {
        for round in 0..FIXING_ROUNDS {
            if !self.follow(chosen, banned, start) {
                return Some(Ok(()));
            }
            let size = chosen.len();
            if self.active.len() == start {
                return Some(self.take(*chosen, size));
            }
            let enough = (self.most - size) as i64 * WHOLE;
            let mut total = self.count(start, chosen, banned, enough);
            if round == 0 && total <= enough {
                *shares_above = self.share(start, chosen, banned, enough, total);
                if shares_above.is_some() {
                    total = self.count(start, chosen, banned, enough);
                    if let Some(again) = &mut self.again {
                        again.reach += if total > enough { WHOLE / 16 } else { -WHOLE / 64 };
                        again.reach = again.reach.max(WHOLE / 2);
                    }
                }
            }
            if total > enough {
                return Some(Ok(()));
            }
            let before = *banned;
            *banned = banned.or(&self.counting.dear(enough - total).without(chosen));
            if *banned == before {
                break;
            }
        }
        None
    }

    fn count(&mut self, start: usize, chosen: &Bits<W>, banned: &Bits<W>, enough: i64) -> i64 {
        let Search { needs, shares, active, counting, .. } = self;
        counting.count(needs, shares, &active[start..], chosen, banned, enough)
    }

    /// Seeks better shares; returns those before, or nothing where too much lacks.
    fn share(
        &mut self,
        start: usize,
        chosen: &Bits<W>,
        banned: &Bits<W>,
        enough: i64,
        total: i64,
    ) -> Option<Vec<i64>> {
        let Search { needs, shares, active, counting, again, .. } = self;
        let Again { sharing, reach } = again.as_mut()?;
        if enough - total > *reach {
            return None;
        }
        let n_members = sharing.open(needs, &active[start..], chosen, banned);
        self.steps_left -= (ROUNDS_AT_A_NODE * n_members / MEMBERS_A_STEP) as i64;
        sharing.begin_with(counting);
        let above = shares.clone();
        let enough = enough as f64 / WHOLE as f64;
        sharing.improve(ROUNDS_AT_A_NODE, enough + 0.01, enough + 0.5, shares);
        Some(above)
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

    /// Returns the item to decide on: in many alternatives that are among the shortest of their need,
    /// the more so the fewer the need has left.
    fn branch(&mut self, chosen: &Bits<W>, banned: &Bits<W>, begin: usize) -> usize {
        self.worth.fill(0);
        for &need in &self.active[begin..] {
            let need = &self.needs[need as usize];
            let alive = alive(need, banned);
            let rest = |place: usize| need.alternatives[place].without(chosen);
            let mut least = usize::MAX;
            each(alive, |place| least = least.min(rest(place).len()));
            let worth_of_need = HIGHEST_WORTH / u64::from(alive.count_ones().max(1));
            each(alive, |place| {
                let rest = rest(place);
                let worth = worth_of_need >> (rest.len() - least).min(20);
                rest.items().for_each(|item| self.worth[item] += worth);
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
