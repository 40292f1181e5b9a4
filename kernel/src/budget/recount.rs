//! What sets of units are worth beside one reference, counted from their tokens, and how far a
//! greedy choice comes: `core/metrics/kit/extractive.py`.

use super::HIGHEST_LENGTH;
use crate::boundary::{checked_offsets, guarded, require, Array, ArrayMut, Refusal};
use crate::keys::Pairs;

const N_TOLD: usize = 2;
const N_TOLD_OF_A_SET: usize = 3;
const MOST_KINDS: i64 = 1 << 26;

/// Counts what sets of units share with a reference: n-grams that end where a unit or the reference
/// ends, each as often as the reference has it at most.
///
/// `tokens` of units, whose offsets are `starts`, and `reference` hold a number for each kind of
/// token; a unit of length 0 shares nothing. `sets` are units, none twice in a set, cut by
/// `set_starts`.
///
/// Writes to `told` how many n-grams the reference has, the higher of what the two greedy rules come
/// to within the limit, and of each set its value, its length, and whether every unit of it adds.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_recount(
    tokens: Array<i64>,
    starts: Array<i64>,
    reference: Array<i64>,
    n: usize,
    lengths: Array<i64>,
    limit: i64,
    sets: Array<i64>,
    set_starts: Array<i64>,
    told: ArrayMut<i64>,
) -> i32 {
    guarded(|| {
        let (tokens, reference, lengths) = (tokens.slice(), reference.slice(), lengths.slice());
        let (sets, told) = (sets.slice(), told.slice());
        let starts = checked_offsets(starts.slice(), tokens.len())?;
        let set_starts = checked_offsets(set_starts.slice(), sets.len())?;
        let (n_units, n_sets) = (starts.len() - 1, set_starts.len() - 1);
        require(n > 0 && lengths.len() == n_units)?;
        require(lengths.iter().all(|length| (0..HIGHEST_LENGTH).contains(length)))?;
        require(sets.iter().all(|&unit| unit >= 0 && (unit as usize) < n_units))?;
        require(
            n_sets.checked_mul(N_TOLD_OF_A_SET).map(|cells| cells + N_TOLD) == Some(told.len()),
        )?;
        require(tokens.iter().chain(reference).all(|&token| token >= 0))?;
        let grams = Grams::of(reference, n)?;
        let units = (0..n_units).map(|unit| match lengths[unit] {
            0 => Vec::new(),
            _ => grams.counts(&tokens[starts[unit] as usize..starts[unit + 1] as usize]),
        });
        let shared = Shared { gains: units.collect(), caps: &grams.caps, lengths };
        told[0] = grams.caps.iter().sum();
        told[1] = shared.greedy(limit, false).max(shared.greedy(limit, true));
        for (set, told) in
            set_starts.windows(2).zip(told[N_TOLD..].chunks_exact_mut(N_TOLD_OF_A_SET))
        {
            shared.recount(&sets[set[0] as usize..set[1] as usize], told);
        }
        Ok(())
    })
}

/// The n-grams of the reference, numbered, and how often it has each.
struct Grams {
    /// Of each kind of token its number, from 1; 0 = the reference does not have it.
    words: Vec<u32>,
    /// Of two tokens and more: the number of one that is a token shorter, and the next token.
    longer: Vec<Pairs>,
    caps: Vec<i64>,
}

impl Grams {
    fn of(reference: &[i64], n: usize) -> Result<Grams, Refusal> {
        let highest = reference.iter().copied().max().unwrap_or(0);
        if highest >= MOST_KINDS {
            return Err(Refusal::TooLarge);
        }
        let (mut words, mut n_words) = (vec![0; highest as usize + 1], 0);
        for &token in reference {
            let word = &mut words[token as usize];
            if *word == 0 {
                n_words += 1;
                *word = n_words;
            }
        }
        let text: Vec<u32> = reference.iter().map(|&token| words[token as usize]).collect();
        let (mut grams, mut longer) = (text.clone(), Vec::new());
        for size in 1..n {
            let mut pairs = Pairs::new();
            grams.truncate(text.len().saturating_sub(size));
            for (at, gram) in grams.iter_mut().enumerate() {
                *gram = pairs.number(*gram, text[at + size]);
            }
            longer.push(pairs);
        }
        let mut caps = vec![0; longer.last().map_or(n_words as usize, Pairs::len)];
        grams.iter().for_each(|&gram| caps[gram as usize - 1] += 1);
        Ok(Grams { words, longer, caps })
    }

    /// Returns which of them a text has, and how often.
    fn counts(&self, tokens: &[i64]) -> Vec<(usize, i64)> {
        let word = |&token: &i64| self.words.get(token as usize).copied().unwrap_or(0);
        let mut counts: Vec<(usize, i64)> = Vec::new();
        for tokens in tokens.windows(self.longer.len() + 1) {
            let mut gram = word(&tokens[0]);
            for (pairs, token) in self.longer.iter().zip(&tokens[1..]) {
                let next = if gram == 0 { 0 } else { word(token) };
                gram = if next == 0 { 0 } else { pairs.known(gram, next) };
            }
            if gram == 0 {
                continue;
            }
            let number = gram as usize - 1;
            match counts.iter_mut().find(|(known, _)| *known == number) {
                Some((_, count)) => *count += 1,
                None => counts.push((number, 1)),
            }
        }
        counts
    }
}

/// What the units share with the reference.
struct Shared<'a> {
    gains: Vec<Vec<(usize, i64)>>,
    caps: &'a [i64],
    lengths: &'a [i64],
}

impl Shared<'_> {
    /// Writes the value of a set, its length, and whether every unit of it adds.
    fn recount(&self, units: &[i64], told: &mut [i64]) {
        let mut covered = vec![0; self.caps.len()];
        let gains = || units.iter().map(|&unit| &self.gains[unit as usize]);
        gains().flatten().for_each(|&(gram, count)| covered[gram] += count);
        let adds = |gains: &Vec<(usize, i64)>| {
            gains.iter().any(|&(gram, count)| covered[gram] - count < self.caps[gram])
        };
        told[0] = covered.iter().zip(self.caps).map(|(&count, &cap)| count.min(cap)).sum();
        told[1] = units.iter().map(|&unit| self.lengths[unit as usize]).sum();
        told[2] = i64::from(gains().all(adds));
    }

    /// Returns what taking the unit of most gain, or most for its length, comes to.
    fn greedy(&self, mut room: i64, by_rate: bool) -> i64 {
        let mut left = self.caps.to_vec();
        let mut open: Vec<usize> = (0..self.gains.len()).collect();
        let mut value = 0;
        loop {
            let mut best: Option<(f64, usize, i64)> = None;
            open.retain(|&unit| {
                let gain: i64 = match self.lengths[unit] <= room {
                    true => self.gains[unit].iter().map(|&(gram, n)| n.min(left[gram])).sum(),
                    false => 0,
                };
                let per = if by_rate { self.lengths[unit] } else { 1 };
                let worth = gain as f64 / per as f64;
                if gain > 0 && best.map_or(true, |(most, ..)| worth > most) {
                    best = Some((worth, unit, gain));
                }
                gain > 0
            });
            let Some((_, unit, gain)) = best else { return value };
            value += gain;
            room -= self.lengths[unit];
            open.retain(|&other| other != unit);
            for &(gram, count) in &self.gains[unit] {
                left[gram] = (left[gram] - count).max(0);
            }
        }
    }
}
