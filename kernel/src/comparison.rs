//! What is compared: token numbers of one side of several comparisons, as numpy holds them.

use std::ops::Range;
use std::slice::from_raw_parts;

/// Number of every token that no reference of the comparison has.
pub const FOREIGN: u32 = 0;

/// One side as the caller passes it: `Texts` of `core/metrics/rouge/comparison.py`.
#[repr(C)]
pub struct RawTexts {
    pub ids: *const i64,
    pub sentence_starts: *const i64,
    pub text_starts: *const i64,
    pub starts: *const i64,
    pub n_comparisons: usize,
}

/// The same with lengths, offsets being followed from the comparisons down to the tokens.
pub struct Texts<'a> {
    ids: &'a [i64],
    sentence_starts: &'a [i64],
    text_starts: &'a [i64],
    starts: &'a [i64],
}

impl<'a> Texts<'a> {
    /// # Safety
    /// Each array is as long as the last offset that points into it says.
    pub unsafe fn new(raw: &RawTexts) -> Texts<'a> {
        let starts = from_raw_parts(raw.starts, raw.n_comparisons + 1);
        let text_starts = from_raw_parts(raw.text_starts, last(starts) + 1);
        let sentence_starts = from_raw_parts(raw.sentence_starts, last(text_starts) + 1);
        let ids = from_raw_parts(raw.ids, last(sentence_starts));
        Texts { ids, sentence_starts, text_starts, starts }
    }

    /// Returns which texts belong to a comparison.
    pub fn texts(&self, comparison: usize) -> Range<usize> {
        range(self.starts, comparison)
    }

    /// Returns which sentences belong to a text.
    pub fn sentences(&self, text: usize) -> Range<usize> {
        range(self.text_starts, text)
    }

    /// Returns which tokens belong to a sentence.
    pub fn tokens(&self, sentence: usize) -> Range<usize> {
        range(self.sentence_starts, sentence)
    }

    /// Returns which tokens belong to a text.
    pub fn tokens_of_text(&self, text: usize) -> Range<usize> {
        let sentences = self.sentences(text);
        offset(self.sentence_starts, sentences.start)..offset(self.sentence_starts, sentences.end)
    }

    /// Puts the token numbers of a range into `into`, counted from 1 in their comparison.
    pub fn read(&self, tokens: Range<usize>, first_id: i64, into: &mut Vec<u32>) {
        into.clear();
        into.extend(self.ids[tokens].iter().map(|&id| (id - first_id).max(0) as u32));
    }
}

/// The largest token number before each comparison, as `Batch.id_starts`.
///
/// # Safety
/// The array has `n_comparisons + 1` numbers.
pub unsafe fn id_starts<'a>(raw: *const i64, n_comparisons: usize) -> &'a [i64] {
    from_raw_parts(raw, n_comparisons + 1)
}

fn range(offsets: &[i64], index: usize) -> Range<usize> {
    offset(offsets, index)..offset(offsets, index + 1)
}

fn offset(offsets: &[i64], index: usize) -> usize {
    offsets[index] as usize
}

fn last(offsets: &[i64]) -> usize {
    offsets[offsets.len() - 1] as usize
}
