//! Pseudo-pyramids: longest common subsequences of units, and which is paid for which.

use crate::boundary::{checked_offsets, guarded, require, Array, ArrayMut, Outcome, Refusal};
use std::ops::Range;

const NOTHING: i64 = -1;
const WORD: usize = 64;
const MOST_KINDS: usize = 1 << 26;

/// Compares the units of several systems with oracle units and matches them.
///
/// Writes (n_texts, n_oracles) each to `common`, how many tokens the longest common subsequence
/// has, and to `alike`, whether that is `needed` (and the texts equal where `is_exact` is not 0);
/// to `chosen` for each unit of each system the oracle unit that it is paid for, or -1: of all
/// assignments one that keeps the oracle units that come first in `by_weight`.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_matching(
    texts: Array<i64>,
    text_starts: Array<i64>,
    oracles: Array<i64>,
    oracle_starts: Array<i64>,
    needed: Array<i64>,
    by_weight: Array<i64>,
    rows: Array<i64>,
    row_starts: Array<i64>,
    is_exact: i64,
    common: ArrayMut<i64>,
    alike: ArrayMut<u8>,
    chosen: ArrayMut<i64>,
) -> i32 {
    guarded(|| {
        let texts = Side::checked(texts.slice(), text_starts.slice())?;
        let oracles = Side::checked(oracles.slice(), oracle_starts.slice())?;
        let (needed, by_weight) = (needed.slice(), by_weight.slice());
        let (rows, row_starts) = (rows.slice(), row_starts.slice());
        let (common, alike, chosen) = (common.slice(), alike.slice(), chosen.slice());
        require(
            !checked_offsets(row_starts, rows.len())?.is_empty() && chosen.len() == rows.len(),
        )?;
        require(Some(common.len()) == texts.len().checked_mul(oracles.len()))?;
        require(alike.len() == common.len() && needed.len() == oracles.len())?;
        require(is_order(by_weight, oracles.len()))?;
        require(rows.iter().all(|&row| row >= 0 && (row as usize) < texts.len()))?;
        compare(&texts, &oracles, common)?;
        let n_oracles = oracles.len().max(1);
        let rows_of_cells = alike.chunks_mut(n_oracles).zip(common.chunks(n_oracles));
        for (text, (alike, common)) in rows_of_cells.enumerate() {
            let n_tokens = texts.tokens(text).len();
            for (oracle, like) in alike.iter_mut().enumerate() {
                let may = is_exact == 0 || n_tokens == oracles.tokens(oracle).len();
                *like = u8::from(may && common[oracle] >= needed[oracle]);
            }
        }
        chosen.fill(NOTHING);
        let mut matcher = Matcher::new(oracles.len());
        for system in row_starts.windows(2) {
            let own = system[0] as usize..system[1] as usize;
            matcher.assign(alike, &rows[own.clone()], by_weight, &mut chosen[own]);
        }
        Ok(())
    })
}

fn is_order(order: &[i64], n: usize) -> bool {
    let mut seen = vec![false; n];
    order.len() == n
        && order.iter().all(|&one| {
            one >= 0 && (one as usize) < n && !std::mem::replace(&mut seen[one as usize], true)
        })
}

/// Texts one after the other, a number for each kind of token.
struct Side<'a> {
    tokens: &'a [i64],
    starts: &'a [i64],
}

impl<'a> Side<'a> {
    fn checked(tokens: &'a [i64], starts: &'a [i64]) -> Result<Side<'a>, Refusal> {
        let starts = checked_offsets(starts, tokens.len())?;
        require(tokens.iter().all(|&token| token >= 0))?;
        Ok(Side { tokens, starts })
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn tokens(&self, text: usize) -> &'a [i64] {
        let range: Range<usize> = self.starts[text] as usize..self.starts[text + 1] as usize;
        &self.tokens[range]
    }

    fn highest(&self) -> usize {
        self.tokens.iter().max().map_or(0, |&token| token as usize)
    }
}

/// Writes the lengths of the longest common subsequences, 64 tokens of an oracle unit at a time.
///
/// Source: Hyyrö (2004), Bit-parallel LCS-length computation revisited.
fn compare(texts: &Side, oracles: &Side, common: &mut [i64]) -> Outcome {
    let n_kinds = texts.highest().max(oracles.highest()) + 1;
    if n_kinds > MOST_KINDS {
        return Err(Refusal::TooLarge);
    }
    let mut row_of = vec![0usize; n_kinds]; // 0 = not in this oracle unit
    let (mut masks, mut left) = (Vec::new(), Vec::new());
    for oracle in 0..oracles.len() {
        let tokens = oracles.tokens(oracle);
        let n_words = tokens.len().div_ceil(WORD);
        masks.clear();
        masks.resize(n_words, 0u64);
        for (place, &token) in tokens.iter().enumerate() {
            let row = &mut row_of[token as usize];
            if *row == 0 {
                *row = masks.len() / n_words;
                masks.resize(masks.len() + n_words, 0);
            }
            masks[*row * n_words + place / WORD] |= 1 << (place % WORD);
        }
        if n_words == 1 {
            for text in 0..texts.len() {
                let left = within_a_word(texts.tokens(text), &row_of, &masks);
                common[text * oracles.len() + oracle] = found(&[left], tokens.len());
            }
            tokens.iter().for_each(|&token| row_of[token as usize] = 0);
            continue;
        }
        for text in 0..texts.len() {
            left.clear();
            left.resize(n_words, u64::MAX);
            for &token in texts.tokens(text) {
                let row = row_of[token as usize];
                if row > 0 {
                    step(&mut left, &masks[row * n_words..(row + 1) * n_words]);
                }
            }
            common[text * oracles.len() + oracle] = found(&left, tokens.len());
        }
        for &token in tokens {
            row_of[token as usize] = 0;
        }
    }
    Ok(())
}

/// Returns what `step` by step is left of an oracle unit of up to 64 tokens.
fn within_a_word(text: &[i64], row_of: &[usize], masks: &[u64]) -> u64 {
    text.iter().map(|&token| row_of[token as usize]).filter(|&row| row > 0).fold(
        u64::MAX,
        |left, row| {
            let shared = left & masks[row];
            left.wrapping_add(shared) | (left - shared)
        },
    )
}

fn step(left: &mut [u64], mask: &[u64]) {
    let mut carry = false;
    for (word, &mask) in left.iter_mut().zip(mask) {
        let shared = *word & mask;
        let (sum, first) = word.overflowing_add(shared);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        *word = sum | (*word - shared);
    }
}

fn found(left: &[u64], n_tokens: usize) -> i64 {
    let n_left: u32 = left
        .iter()
        .enumerate()
        .map(|(word, &bits)| {
            let n_bits = (n_tokens - word * WORD).min(WORD);
            (bits & u64::MAX >> (WORD - n_bits)).count_ones()
        })
        .sum();
    n_tokens as i64 - i64::from(n_left)
}

/// Matches one system after the other; see `core/metrics/pseudo_pyramid_matching.py`.
struct Matcher {
    n_oracles: usize,
    rows_of: Vec<Vec<usize>>,
    row_of: Vec<Option<usize>>,
    reached_by: Vec<Option<usize>>,
    waiting: Vec<usize>,
}

impl Matcher {
    fn new(n_oracles: usize) -> Matcher {
        Matcher {
            n_oracles,
            rows_of: vec![Vec::new(); n_oracles],
            row_of: vec![None; n_oracles],
            reached_by: Vec::new(),
            waiting: Vec::new(),
        }
    }

    fn assign(&mut self, alike: &[u8], texts: &[i64], by_weight: &[i64], chosen: &mut [i64]) {
        self.rows_of.iter_mut().for_each(Vec::clear);
        self.row_of.fill(None);
        for (row, &text) in texts.iter().enumerate() {
            let begin = text as usize * self.n_oracles;
            for (oracle, &like) in alike[begin..begin + self.n_oracles].iter().enumerate() {
                if like != 0 {
                    self.rows_of[oracle].push(row);
                }
            }
        }
        for &oracle in by_weight {
            if !self.rows_of[oracle as usize].is_empty() {
                self.add(oracle as usize, chosen);
            }
        }
    }

    /// Matches an oracle unit, too, if those matched before can all stay matched.
    fn add(&mut self, oracle: usize, chosen: &mut [i64]) {
        self.reached_by.clear();
        self.reached_by.resize(chosen.len(), None);
        self.waiting.clear();
        self.waiting.push(oracle);
        let mut next = 0;
        while next < self.waiting.len() {
            let at = self.waiting[next];
            next += 1;
            for place in 0..self.rows_of[at].len() {
                let row = self.rows_of[at][place];
                if self.reached_by[row].is_some() {
                    continue;
                }
                self.reached_by[row] = Some(at);
                if chosen[row] == NOTHING {
                    self.shift(row, chosen);
                    return;
                }
                self.waiting.push(chosen[row] as usize);
            }
        }
    }

    /// Gives a free row to the oracle unit that reached it, whose own goes to the one before.
    fn shift(&mut self, free: usize, chosen: &mut [i64]) {
        let mut free = Some(free);
        while let Some(row) = free {
            let Some(taker) = self.reached_by[row] else { return };
            free = self.row_of[taker].replace(row);
            chosen[row] = taker as i64;
        }
    }
}
