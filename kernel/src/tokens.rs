//! The tokeniser of ROUGE-1.5.5: runs of ASCII letters and digits, each kind of token numbered once.

use crate::boundary::{guarded, require, Array, ArrayMut, Refusal};

const SENTENCE_END: u8 = 0;
const END: i64 = 0;
const BLANK: u8 = b' ';
const WORD: usize = 8;
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
const NONE: u32 = 0;
/// Places of the table of kinds at its beginning.
const SMALLEST: usize = 1 << 10;
const LARGEST: usize = 1 << 15;

/// Finds the tokens of a text whose sentences are closed by a zero byte each.
///
/// Writes to `kinds` for each token in reading order which kind it is: 0 is a sentence's end, the
/// others are counted from 1 as they are met; to `spans` where the first of each kind begins and
/// ends in `lowered`, an empty one for the sentence's end; to `lowered` the text in small letters;
/// to `totals` how many tokens there are, ends of sentences included, and how many kinds.
///
/// # Safety
/// Each array has the length that it says: `lowered` 8 bytes more than the text, `kinds` one place
/// for each of its bytes, `spans` two and two more.
#[no_mangle]
pub unsafe extern "C" fn awase_tokens(
    text: Array<u8>,
    lowered: ArrayMut<u8>,
    kinds: ArrayMut<i64>,
    spans: ArrayMut<i64>,
    totals: ArrayMut<i64>,
) -> i32 {
    guarded(|| {
        let (text, totals) = (text.slice(), totals.slice());
        let (lowered, kinds, spans) = (lowered.slice(), kinds.slice(), spans.slice());
        let n = text.len();
        require(lowered.len() == n + WORD && kinds.len() == n)?;
        require(spans.len() == 2 * n + 2 && totals.len() == 2)?;
        if n >= u32::MAX as usize {
            return Err(Refusal::TooLarge);
        }
        lower(text, lowered);
        let (n_tokens, n_kinds) = tokens(lowered, n, kinds, spans);
        totals.copy_from_slice(&[n_tokens as i64, n_kinds as i64]);
        Ok(())
    })
}

fn tokens(lowered: &[u8], n: usize, kinds: &mut [i64], spans: &mut [i64]) -> (usize, usize) {
    let mut known = Kinds::new(spans, n);
    let (mut n_tokens, mut place) = (0, 0);
    while place < n {
        let (key, n_bytes) = token(lowered, place);
        if n_bytes > 0 {
            kinds[n_tokens] = known.kind(lowered, key, place, place + n_bytes);
            n_tokens += 1;
            place += n_bytes;
        }
        // What follows a token is none: mostly one blank, and the next token stands behind it.
        if place < n {
            kinds[n_tokens] = END;
            n_tokens += usize::from(lowered[place] == SENTENCE_END);
            place += 1;
        }
    }
    (n_tokens, known.n())
}

/// What a token is known by: itself if two words hold it, else its first word and a hash of the
/// rest whose lowest byte is no letter, so that a long token is never taken for a short one.
type Key = [u64; 2];
const HASHED: u64 = 0xFF;

/// Returns the key of the token that begins at a place, and how many bytes it has; 0 = none does.
///
/// Tokens of up to 15 bytes, which nearly all are, go through without a branch.
fn token(lowered: &[u8], begin: usize) -> (Key, usize) {
    let (first, n_first) = letters(word(lowered, begin));
    let is_full = u64::from(n_first == WORD);
    let (second, n_second) = letters(word(lowered, begin + WORD) * is_full);
    if n_second < WORD {
        return ([first, second], n_first + n_second);
    }
    let (mut rest, mut end) = (second, begin + 2 * WORD);
    loop {
        let (next, n_next) = letters(word(lowered, end));
        if n_next > 0 {
            rest = (rest.wrapping_mul(MULTIPLIER) ^ rest >> 29 ^ next) | HASHED;
            end += n_next;
        }
        if n_next < WORD {
            return ([first, rest], end - begin);
        }
    }
}

/// Returns the letters and digits that eight bytes begin with, and how many they are.
fn letters(bytes: u64) -> (u64, usize) {
    // Letters and digits have one of these bits, a blank and a sentence's end have none.
    const BITS: u64 = 0x5050_5050_5050_5050;
    const CARRY: u64 = 0x7070_7070_7070_7070;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let others = !((bytes & BITS) + CARRY) & TOPS;
    // All below the first of the others; all where there is none.
    let own = ((others & others.wrapping_neg()) >> 7).wrapping_sub(1);
    (bytes & own, (others.trailing_zeros() / 8) as usize)
}

fn lower(text: &[u8], lowered: &mut [u8]) {
    for (out, &byte) in lowered.iter_mut().zip(text) {
        let small = byte | 0x20;
        let is_letter = small.wrapping_sub(b'a') < 26;
        let stays = byte.wrapping_sub(b'0') < 10 || byte == SENTENCE_END;
        *out = if is_letter {
            small
        } else if stays {
            byte
        } else {
            BLANK
        };
    }
    lowered[text.len()..].fill(BLANK);
}

/// The different tokens met so far, which are counted from 1.
struct Kinds<'a> {
    spans: &'a mut [i64],
    /// (n,) of each kind: those that are met first, and mostly often, lie side by side.
    keys: Vec<Key>,
    /// The kind whose key belongs at each place; 0 = none.
    places: Vec<u32>,
}

impl<'a> Kinds<'a> {
    fn new(spans: &'a mut [i64], n_bytes: usize) -> Kinds<'a> {
        spans[..2].fill(0);
        let size = (n_bytes / 8).next_power_of_two().clamp(SMALLEST, LARGEST);
        Kinds { spans, keys: vec![[0; 2]], places: vec![NONE; size] }
    }

    /// Returns how many there are, the sentence's end included.
    fn n(&self) -> usize {
        self.keys.len()
    }

    fn kind(&mut self, text: &[u8], key: Key, begin: usize, end: usize) -> i64 {
        let mut place = slot(key, self.places.len());
        loop {
            let kind = self.places[place];
            if kind == NONE {
                break;
            }
            if self.keys[kind as usize] == key && self.is_same(text, key, kind, begin, end) {
                return i64::from(kind);
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        let kind = self.n();
        self.places[place] = kind as u32;
        self.keys.push(key);
        self.spans[2 * kind] = begin as i64;
        self.spans[2 * kind + 1] = end as i64;
        if 2 * self.n() > self.places.len() {
            self.grow();
        }
        kind as i64
    }

    /// Returns whether a token is one of a kind that has the same key.
    fn is_same(&self, text: &[u8], key: Key, kind: u32, begin: usize, end: usize) -> bool {
        let kind = kind as usize;
        let (first, last) = (2 * kind, 2 * kind + 1);
        key[1] & HASHED != HASHED
            || text[self.spans[first] as usize..self.spans[last] as usize] == text[begin..end]
    }

    fn grow(&mut self) {
        let size = 2 * self.places.len();
        self.places = vec![NONE; size];
        for (kind, &key) in self.keys.iter().enumerate().skip(1) {
            let mut place = slot(key, size);
            while self.places[place] != NONE {
                place = (place + 1) & (size - 1);
            }
            self.places[place] = kind as u32;
        }
    }
}

/// Returns the eight bytes from a place on; none of a text stands where there are no eight.
fn word(text: &[u8], begin: usize) -> u64 {
    text.get(begin..begin + WORD).map_or(0, |bytes| {
        let mut word = [0; WORD];
        word.copy_from_slice(bytes);
        u64::from_le_bytes(word)
    })
}

fn slot(key: Key, size: usize) -> usize {
    let both = key[0] ^ key[1].rotate_left(32).wrapping_mul(MULTIPLIER);
    (both.wrapping_mul(MULTIPLIER) >> (64 - size.trailing_zeros())) as usize
}
