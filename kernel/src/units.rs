//! N-grams and skip-bigrams: how many a summary shares with each of its references.

use crate::boundary::{guarded, require, Array, ArrayMut, Refusal};
use crate::comparison::{checked_ids, RawTexts, Texts, FOREIGN};
use crate::skips::PairNumbers;
use std::ops::Range;

/// Of one text or one comparison's references: more pairs are left to the caller.
const MOST_PAIRS: usize = 1 << 25;

/// Adds up for 1-grams to `longest`-grams the lesser of the two counts of every unit.
///
/// Writes (longest, n_peers, n_slots) to `hits`, n_slots being the places for references.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_ngrams(
    peers: &RawTexts,
    models: &RawTexts,
    ids: Array<i64>,
    longest: usize,
    n_slots: usize,
    hits: ArrayMut<f64>,
) -> i32 {
    guarded(|| {
        let (peers, models) = (Texts::checked(peers)?, Texts::checked(models)?);
        let ids = checked_ids(ids, models.n_comparisons())?;
        let hits = hits.slice();
        let n_peers = peers.n_texts();
        require(peers.n_comparisons() == models.n_comparisons() && models.widest() <= n_slots)?;
        let n_cells = longest.checked_mul(n_peers).and_then(|n| n.checked_mul(n_slots));
        require(n_cells == Some(hits.len()))?;
        let mut pairs = PairNumbers::new();
        let mut shared = Shared::new(n_slots);
        for comparison in 0..models.n_comparisons() {
            let first_id = ids[comparison];
            let mut of_models = Side::read(&models, comparison, first_id);
            let mut of_peers = Side::read(&peers, comparison, first_id);
            let n_ids = (ids[comparison + 1] - first_id) as usize;
            let mut n_units = n_ids;
            for size in 1..=longest {
                if size > 1 {
                    pairs.clear(n_units, n_ids);
                    of_models.lengthen(size, |unit, next| pairs.number(unit, next));
                    of_peers.lengthen(size, |unit, next| pairs.known(unit, next));
                    n_units = pairs.len();
                }
                shared.clear(n_units);
                for slot in 0..of_models.n_texts() {
                    shared.add_reference(slot, of_models.units_of(slot, size));
                }
                let first = peers.texts(comparison).start;
                for peer in 0..of_peers.n_texts() {
                    let row = ((size - 1) * n_peers + first + peer) * n_slots;
                    shared.count(of_peers.units_of(peer, size), &mut hits[row..row + n_slots]);
                }
            }
        }
        Ok(())
    })
}

/// Adds up the lesser of the two counts of every skip-bigram, and of every token but the last.
///
/// Writes (n_peers, n_slots) each to `pair_hits` and `token_hits`. `gap` is the most words between
/// the two of a pair, under 0 = no limit.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_skip_bigrams(
    peers: &RawTexts,
    models: &RawTexts,
    ids: Array<i64>,
    gap: i64,
    n_slots: usize,
    pair_hits: ArrayMut<f64>,
    token_hits: ArrayMut<f64>,
) -> i32 {
    guarded(|| {
        let (peers, models) = (Texts::checked(peers)?, Texts::checked(models)?);
        let ids = checked_ids(ids, models.n_comparisons())?;
        let (pair_hits, token_hits) = (pair_hits.slice(), token_hits.slice());
        require(peers.n_comparisons() == models.n_comparisons() && models.widest() <= n_slots)?;
        let n_cells = peers.n_texts().checked_mul(n_slots);
        require(n_cells == Some(pair_hits.len()) && n_cells == Some(token_hits.len()))?;
        let farthest = if gap < 0 { usize::MAX } else { (gap as usize).saturating_add(1) };
        refuse_too_many(&models, &peers, farthest)?;
        let mut pairs = PairNumbers::new();
        let (mut of_pairs, mut of_tokens) = (Shared::new(n_slots), Shared::new(n_slots));
        let mut units = Vec::new();
        for comparison in 0..models.n_comparisons() {
            let first_id = ids[comparison];
            let of_models = Side::read(&models, comparison, first_id);
            let of_peers = Side::read(&peers, comparison, first_id);
            let n_ids = (ids[comparison + 1] - first_id) as usize;
            pairs.clear(n_ids, n_ids);
            let mut ends = Vec::new();
            units.clear();
            for slot in 0..of_models.n_texts() {
                each_pair(of_models.text(slot), farthest, |a, b| units.push(pairs.number(a, b)));
                ends.push(units.len());
            }
            of_pairs.clear(pairs.len());
            of_tokens.clear(n_ids);
            let mut begin = 0;
            for (slot, &end) in ends.iter().enumerate() {
                of_pairs.add_reference(slot, &units[begin..end]);
                of_tokens.add_reference(slot, but_last(of_models.text(slot)));
                begin = end;
            }
            let first = peers.texts(comparison).start;
            for peer in 0..of_peers.n_texts() {
                pairs.known_within(of_peers.text(peer), farthest, &mut units);
                let row = (first + peer) * n_slots;
                of_pairs.count(&units, &mut pair_hits[row..row + n_slots]);
                of_tokens.count(but_last(of_peers.text(peer)), &mut token_hits[row..row + n_slots]);
            }
        }
        Ok(())
    })
}

fn refuse_too_many(models: &Texts, peers: &Texts, farthest: usize) -> Result<(), Refusal> {
    let n_pairs = |texts: &Texts, text: usize| {
        let n = texts.tokens_of_text(text).len();
        n.saturating_mul(n.min(farthest))
    };
    let of_models = (0..models.n_comparisons()).map(|one| {
        models.texts(one).fold(0, |sum: usize, t| sum.saturating_add(n_pairs(models, t)))
    });
    let of_peers = (0..peers.n_texts()).map(|text| n_pairs(peers, text));
    if of_models.chain(of_peers).max().unwrap_or(0) > MOST_PAIRS {
        return Err(Refusal::TooLarge);
    }
    Ok(())
}

pub fn each_pair(tokens: &[u32], farthest: usize, mut take: impl FnMut(u32, u32)) {
    for (place, &first) in tokens.iter().enumerate() {
        if first == FOREIGN {
            continue;
        }
        let rest = &tokens[place + 1..];
        for &second in &rest[..farthest.min(rest.len())] {
            if second != FOREIGN {
                take(first, second);
            }
        }
    }
}

fn but_last(tokens: &[u32]) -> &[u32] {
    &tokens[..tokens.len().saturating_sub(1)]
}

/// The texts of one side of one comparison, and the units that begin at each of their tokens.
struct Side {
    ids: Vec<u32>,
    units: Vec<u32>,
    ends: Vec<usize>,
}

impl Side {
    fn read(texts: &Texts, comparison: usize, first_id: i64) -> Side {
        let range = texts.texts(comparison);
        let (mut ids, mut ends) = (Vec::new(), Vec::with_capacity(range.len() + 1));
        let begin = if range.is_empty() { 0 } else { texts.tokens_of_text(range.start).start };
        let mut end = begin;
        ends.push(0);
        for text in range {
            end = texts.tokens_of_text(text).end;
            ends.push(end - begin);
        }
        texts.read(begin..end, first_id, &mut ids);
        Side { units: ids.clone(), ids, ends }
    }

    fn n_texts(&self) -> usize {
        self.ends.len() - 1
    }

    fn range(&self, text: usize) -> Range<usize> {
        self.ends[text]..self.ends[text + 1]
    }

    fn text(&self, text: usize) -> &[u32] {
        &self.ids[self.range(text)]
    }

    fn units_of(&self, text: usize, size: usize) -> &[u32] {
        let range = self.range(text);
        &self.units[range.start..(range.end + 1).saturating_sub(size).max(range.start)]
    }

    /// Makes units of `size` tokens of those that are one shorter.
    fn lengthen(&mut self, size: usize, mut longer: impl FnMut(u32, u32) -> u32) {
        for text in 0..self.n_texts() {
            let range = self.range(text);
            for place in range.start..(range.end + 1).saturating_sub(size).max(range.start) {
                self.units[place] = longer(self.units[place], self.ids[place + size - 1]);
            }
        }
    }
}

/// How often each reference has each unit, and how often the present summary had it so far.
struct Shared {
    n_slots: usize,
    of_references: Vec<u32>,
    so_far: Vec<u32>,
    sums: Vec<u32>,
}

impl Shared {
    fn new(n_slots: usize) -> Shared {
        Shared { n_slots, of_references: Vec::new(), so_far: Vec::new(), sums: vec![0; n_slots] }
    }

    fn clear(&mut self, n_units: usize) {
        self.of_references.clear();
        self.of_references.resize((n_units + 1) * self.n_slots, 0);
        self.so_far.clear();
        self.so_far.resize(n_units + 1, 0);
    }

    fn add_reference(&mut self, slot: usize, units: &[u32]) {
        for &unit in units {
            self.of_references[unit as usize * self.n_slots + slot] += 1;
        }
    }

    /// Writes how many units are shared with each reference; none has `FOREIGN`, so that it need not
    /// be looked for.
    fn count(&mut self, units: &[u32], hits: &mut [f64]) {
        self.sums.fill(0);
        for &unit in units {
            let unit = unit as usize;
            let times = self.so_far[unit];
            self.so_far[unit] = times + 1;
            let row = &self.of_references[unit * self.n_slots..(unit + 1) * self.n_slots];
            for (sum, &most) in self.sums.iter_mut().zip(row) {
                *sum += u32::from(times < most);
            }
        }
        for &unit in units {
            self.so_far[unit as usize] = 0;
        }
        for (hit, &sum) in hits.iter_mut().zip(&self.sums) {
            *hit = f64::from(sum);
        }
    }
}
