//! What is counted in the place of each kind of token: `Reduction.words` and `Numbers` of
//! `core/metrics/rouge/tokens.py`.

use crate::boundary::{checked_offsets, guarded, require, Array, ArrayMut, Refusal};
use crate::stems::stem;
use std::ops::Range;

const DROPPED: i64 = -1;
const NONE: u32 = u32::MAX;
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
const SMALLEST: usize = 1 << 6;

/// Stems words, leaves out stop words, and numbers what is left from 1 on.
///
/// `spans` holds for each kind of token where it begins and ends in `text`. `irregular` holds forms
/// and what is counted in their place by turns, `dropped` the stop words, each cut by offsets.
/// Tokens of `shortest` letters or more are stemmed; 0 = none is.
///
/// Writes to `words` the same number for kinds that are counted as the same, -1 for stop words and
/// for what stems to nothing.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_words(
    text: Array<u8>,
    spans: Array<i64>,
    irregular: Array<u8>,
    irregular_starts: Array<i64>,
    dropped: Array<u8>,
    dropped_starts: Array<i64>,
    shortest: usize,
    words: ArrayMut<i64>,
) -> i32 {
    guarded(|| {
        let (text, spans, words) = (text.slice(), spans.slice(), words.slice());
        let (irregular, dropped) = (irregular.slice(), dropped.slice());
        let irregular_starts = checked_offsets(irregular_starts.slice(), irregular.len())?;
        let dropped_starts = checked_offsets(dropped_starts.slice(), dropped.len())?;
        require(spans.len() == 2 * words.len() && irregular_starts.len() % 2 == 1)?;
        let is_irregular = shortest > 0 && irregular_starts.len() > 1;
        let mut forms = Known::default();
        for at in (0..if is_irregular { irregular_starts.len() - 1 } else { 0 }).step_by(2) {
            forms.number(piece(irregular, irregular_starts, at));
        }
        let mut left_out = Known::default();
        for at in 0..dropped_starts.len() - 1 {
            left_out.number(piece(dropped, dropped_starts, at));
        }
        let (mut known, mut stemmed) = (Known::default(), Vec::new());
        for (word, span) in words.iter_mut().zip(spans.chunks_exact(2)) {
            let token = text.get(checked_span(span)?).ok_or(Refusal::Unfit)?;
            let counted: &[u8] = if left_out.find(token).is_some() {
                &[]
            } else if shortest == 0 || token.len() < shortest {
                token
            } else if let Some(at) = forms.find(token) {
                piece(irregular, irregular_starts, 2 * at as usize + 1)
            } else {
                stemmed.clear();
                stemmed.extend_from_slice(token);
                stem(&mut stemmed);
                &stemmed
            };
            *word = match counted {
                [] => DROPPED,
                counted => i64::from(known.number(counted)) + 1,
            };
        }
        Ok(())
    })
}

fn checked_span(span: &[i64]) -> Result<Range<usize>, Refusal> {
    require(0 <= span[0] && span[0] <= span[1])?;
    Ok(span[0] as usize..span[1] as usize)
}

fn piece<'a>(letters: &'a [u8], starts: &[i64], at: usize) -> &'a [u8] {
    &letters[starts[at] as usize..starts[at + 1] as usize]
}

/// Words with numbers from 0 on, in the order in which they are met.
#[derive(Default)]
struct Known {
    letters: Vec<u8>,
    ends: Vec<usize>,
    places: Vec<u32>,
}

impl Known {
    /// Returns the number of a word, a new one if it was not there.
    fn number(&mut self, word: &[u8]) -> u32 {
        if 2 * (self.ends.len() + 1) > self.places.len() {
            self.grow();
        }
        let place = self.place(word);
        if self.places[place] == NONE {
            self.places[place] = self.ends.len() as u32;
            self.letters.extend_from_slice(word);
            self.ends.push(self.letters.len());
        }
        self.places[place]
    }

    fn find(&self, word: &[u8]) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        Some(self.places[self.place(word)]).filter(|&number| number != NONE)
    }

    fn word(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let begin = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.letters[begin..self.ends[number]]
    }

    fn place(&self, word: &[u8]) -> usize {
        let mask = self.places.len() - 1;
        let mut place = (hash(word) >> (64 - self.places.len().trailing_zeros())) as usize;
        while self.places[place] != NONE && self.word(self.places[place]) != word {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        self.places = vec![NONE; (2 * self.places.len()).max(SMALLEST)];
        for number in 0..self.ends.len() as u32 {
            let place = self.place(self.word(number));
            self.places[place] = number;
        }
    }
}

fn hash(word: &[u8]) -> u64 {
    let mut hash = word.len() as u64;
    for bytes in word.chunks(8) {
        let mut whole = [0; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        hash = (hash ^ u64::from_le_bytes(whole)).wrapping_mul(MULTIPLIER);
        hash ^= hash >> 29;
    }
    hash.wrapping_mul(MULTIPLIER)
}
