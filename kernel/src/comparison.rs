//! What is compared: token numbers of one side of several comparisons, as numpy holds them.

use crate::boundary::{checked_offsets, require, Array, Refusal};
use std::ops::Range;

/// Number of every token that no reference of the comparison has.
pub const FOREIGN: u32 = 0;

/// One side as the caller passes it: `Texts` of `core/metrics/rouge/comparison.py`.
#[repr(C)]
pub struct RawTexts {
    ids: Array<i64>,
    sentence_starts: Array<i64>,
    text_starts: Array<i64>,
    starts: Array<i64>,
}

/// The same as slices, each level's offsets being known to fit the next one.
pub struct Texts<'a> {
    ids: &'a [i64],
    sentence_starts: &'a [i64],
    text_starts: &'a [i64],
    starts: &'a [i64],
}

impl<'a> Texts<'a> {
    /// Returns the texts, if their offsets fit.
    ///
    /// # Safety
    /// Each array has the length that it says.
    pub unsafe fn checked(raw: &RawTexts) -> Result<Texts<'a>, Refusal> {
        let (ids, sentence_starts) = (raw.ids.slice(), raw.sentence_starts.slice());
        let (text_starts, starts) = (raw.text_starts.slice(), raw.starts.slice());
        require(!sentence_starts.is_empty() && !text_starts.is_empty())?;
        Ok(Texts {
            ids,
            sentence_starts: checked_offsets(sentence_starts, ids.len())?,
            text_starts: checked_offsets(text_starts, sentence_starts.len() - 1)?,
            starts: checked_offsets(starts, text_starts.len() - 1)?,
        })
    }

    pub fn n_comparisons(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn n_texts(&self) -> usize {
        self.text_starts.len() - 1
    }

    /// Returns how many texts the comparison with the most of them has.
    pub fn widest(&self) -> usize {
        (0..self.n_comparisons()).map(|index| self.texts(index).len()).max().unwrap_or(0)
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
        into.extend(self.ids[tokens].iter().map(|&id| id.wrapping_sub(first_id).max(0) as u32));
    }
}

/// Returns the largest token number before each comparison, as `Batch.id_starts`, if they fit.
///
/// # Safety
/// The array has the length that it says.
pub unsafe fn checked_ids<'a>(raw: Array<i64>, n_comparisons: usize) -> Result<&'a [i64], Refusal> {
    let ids = raw.slice();
    require(ids.len() == n_comparisons + 1 && ids.windows(2).all(|pair| pair[0] <= pair[1]))?;
    require(ids[0] >= 0 && ids[n_comparisons] < i64::from(u32::MAX))?;
    Ok(ids)
}

fn range(offsets: &[i64], index: usize) -> Range<usize> {
    offset(offsets, index)..offset(offsets, index + 1)
}

fn offset(offsets: &[i64], index: usize) -> usize {
    offsets[index] as usize
}
