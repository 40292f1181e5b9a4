//! The tokeniser of ROUGE-1.5.5: runs of ASCII letters and digits, each kind of token numbered once.

use crate::boundary::{guarded, require, Array, ArrayMut, Refusal};

const SENTENCE_END: u8 = 0;
const END: i64 = 0;
const BLANK: u8 = b' ';
const WORD: usize = 8;
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
const NONE: u32 = u32::MAX;
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
        if n >= NONE as usize {
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
        let (key, n_bytes) = first_word(lowered, place);
        if n_bytes == 0 {
            kinds[n_tokens] = END;
            n_tokens += usize::from(lowered[place] == SENTENCE_END);
            place += 1;
            continue;
        }
        let begin = place;
        place += n_bytes;
        let mut whole = key;
        if n_bytes == WORD {
            (whole, place) = rest_of_token(lowered, key, place);
        }
        kinds[n_tokens] = known.kind(lowered, whole, begin, place);
        n_tokens += 1;
    }
    (n_tokens, known.n)
}

/// Returns the letters and digits that the next eight bytes begin with, and how many they are.
fn first_word(lowered: &[u8], begin: usize) -> (u64, usize) {
    // Letters and digits have one of these bits, a blank and a sentence's end have none.
    const BITS: u64 = 0x5050_5050_5050_5050;
    const CARRY: u64 = 0x7070_7070_7070_7070;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let bytes = word(lowered, begin);
    let others = !((bytes & BITS) + CARRY) & TOPS;
    let n_bytes = (others.trailing_zeros() / 8) as usize;
    (bytes & !u64::MAX.checked_shl(8 * n_bytes as u32).unwrap_or(0), n_bytes)
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

/// The different tokens met so far.
struct Kinds<'a> {
    spans: &'a mut [i64],
    keys: Vec<(u64, u32)>,
    n: usize,
}

impl<'a> Kinds<'a> {
    fn new(spans: &'a mut [i64], n_bytes: usize) -> Kinds<'a> {
        spans[..2].fill(0);
        let size = (n_bytes / 8).next_power_of_two().clamp(SMALLEST, LARGEST);
        Kinds { spans, keys: vec![(0, NONE); size], n: 1 }
    }

    fn kind(&mut self, text: &[u8], key: u64, begin: usize, end: usize) -> i64 {
        let mask = self.keys.len() - 1;
        let mut place = slot(key, self.keys.len());
        loop {
            let (other, kind) = self.keys[place];
            if kind == NONE {
                break;
            }
            if other == key && (end - begin <= WORD || self.is_same(text, kind, begin, end)) {
                return i64::from(kind);
            }
            place = (place + 1) & mask;
        }
        let kind = self.n;
        self.keys[place] = (key, kind as u32);
        self.spans[2 * kind] = begin as i64;
        self.spans[2 * kind + 1] = end as i64;
        self.n += 1;
        if 2 * self.n > self.keys.len() {
            self.grow();
        }
        kind as i64
    }

    fn is_same(&self, text: &[u8], kind: u32, begin: usize, end: usize) -> bool {
        let kind = kind as usize;
        let (first, last) = (self.spans[2 * kind] as usize, self.spans[2 * kind + 1] as usize);
        text[first..last] == text[begin..end]
    }

    fn grow(&mut self) {
        let size = 2 * self.keys.len();
        let filled = std::mem::replace(&mut self.keys, vec![(0, NONE); size]);
        for (key, kind) in filled.into_iter().filter(|&(_, kind)| kind != NONE) {
            let mut place = slot(key, size);
            while self.keys[place].1 != NONE {
                place = (place + 1) & (size - 1);
            }
            self.keys[place] = (key, kind);
        }
    }
}

/// Returns the key of a token whose first eight bytes are another key, and where it ends.
///
/// The key is the token itself if eight bytes hold it, else a hash of it whose lowest byte is no
/// letter, so that a long token is never taken for a short one.
fn rest_of_token(lowered: &[u8], first: u64, mut end: usize) -> (u64, usize) {
    let (mut key, begin) = (first, end);
    loop {
        let (next, n_bytes) = first_word(lowered, end);
        if n_bytes > 0 {
            key = (key.wrapping_mul(MULTIPLIER) ^ key >> 29) ^ next;
            end += n_bytes;
        }
        if n_bytes < WORD {
            return (if end > begin { key | 0xFF } else { key }, end);
        }
    }
}

fn word(text: &[u8], begin: usize) -> u64 {
    let mut bytes = [0; WORD];
    bytes.copy_from_slice(&text[begin..begin + WORD]);
    u64::from_le_bytes(bytes)
}

fn slot(key: u64, size: usize) -> usize {
    (key.wrapping_mul(MULTIPLIER) >> (64 - size.trailing_zeros())) as usize
}
