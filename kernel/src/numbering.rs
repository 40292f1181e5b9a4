//! Numbers that tokens have within their comparison: `numbered` of
//! `core/metrics/rouge/comparison.py`.

use crate::boundary::{checked_offsets, guarded, require, Array, ArrayMut, Outcome, Refusal};
use crate::comparison::FOREIGN;

const SENTENCE_END: i64 = 0;
/// Of different words: more are left to the caller.
const MOST_WORDS: i64 = 1 << 26;

/// Parts tokens into sentences and numbers them.
///
/// `words` holds for each kind of token the number of its word: 0 ends a sentence, one below 0 is
/// dropped. `text_starts` are offsets of texts into sentences, all texts as often as they were
/// read; `model_starts` and `peer_starts` offsets of comparisons into the texts of one reading.
///
/// Writes to `ids` for each token `FOREIGN`, or the number of its word among those of the
/// comparison's references; to `sentence_starts` the sentences' offsets into `ids`; to `id_starts`
/// the largest number before each comparison, and the largest.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_numbers(
    kinds: Array<i64>,
    words: Array<i64>,
    text_starts: Array<i64>,
    model_starts: Array<i64>,
    peer_starts: Array<i64>,
    ids: ArrayMut<i64>,
    sentence_starts: ArrayMut<i64>,
    id_starts: ArrayMut<i64>,
) -> i32 {
    guarded(|| {
        let (kinds, words, ids) = (kinds.slice(), words.slice(), ids.slice());
        let (sentence_starts, id_starts) = (sentence_starts.slice(), id_starts.slice());
        require(!sentence_starts.is_empty() && ids.len() == kinds.len())?;
        let text_starts = checked_offsets(text_starts.slice(), sentence_starts.len() - 1)?;
        let (model_starts, peer_starts) = (model_starts.slice(), peer_starts.slice());
        require(model_starts.len() == id_starts.len() && peer_starts.len() == id_starts.len())?;
        let n_models = usize::try_from(*model_starts.last().unwrap_or(&-1));
        let models = checked_offsets(model_starts, n_models.unwrap_or(usize::MAX))?;
        require(peer_starts.first() == models.last())?;
        require(peer_starts.windows(2).all(|pair| pair[0] <= pair[1]))?;
        let n_texts = *peer_starts.last().unwrap_or(&0) as usize;
        let n_read = text_starts.len() - 1;
        require(n_read.checked_rem(n_texts).unwrap_or(n_read) == 0)?;
        let most = words.iter().copied().max().unwrap_or(0);
        if most >= MOST_WORDS {
            return Err(Refusal::TooLarge);
        }
        part(kinds, words, ids, sentence_starts)?;
        let texts = Numbered { text_starts, sentence_starts, n_texts };
        let mut known = vec![(0_u32, FOREIGN); most.max(0) as usize + 1];
        let mut n_ids = 0;
        id_starts[0] = 0;
        for comparison in 0..id_starts.len() - 1 {
            let stamp = comparison as u32 + 1;
            texts.each_id(models, comparison, ids, |id| {
                let (when, number) = &mut known[*id as usize];
                if *when != stamp {
                    n_ids += 1;
                    (*when, *number) = (stamp, n_ids);
                }
                *id = i64::from(*number);
            });
            texts.each_id(peer_starts, comparison, ids, |id| {
                let (when, number) = known[*id as usize];
                *id = i64::from(if when == stamp { number } else { FOREIGN });
            });
            id_starts[comparison + 1] = i64::from(n_ids);
        }
        Ok(())
    })
}

/// Puts the words of the tokens that count into `ids`, and where their sentences begin.
fn part(kinds: &[i64], words: &[i64], ids: &mut [i64], sentence_starts: &mut [i64]) -> Outcome {
    let (mut n_ids, mut n_sentences) = (0, 0);
    sentence_starts[0] = 0;
    for &kind in kinds {
        require((kind as usize) < words.len())?;
        let word = words[kind as usize];
        if word == SENTENCE_END {
            n_sentences += 1;
            require(n_sentences < sentence_starts.len())?;
            sentence_starts[n_sentences] = n_ids as i64;
        } else if word > 0 {
            ids[n_ids] = word;
            n_ids += 1;
        }
    }
    require(n_sentences + 1 == sentence_starts.len())
}

/// Where the texts stand, all of them as often as they were read.
struct Numbered<'a> {
    text_starts: &'a [i64],
    sentence_starts: &'a [i64],
    n_texts: usize,
}

impl Numbered<'_> {
    /// Visits the tokens of some texts of a comparison, in every reading.
    fn each_id(
        &self,
        starts: &[i64],
        comparison: usize,
        ids: &mut [i64],
        mut visit: impl FnMut(&mut i64),
    ) {
        let (begin, end) = (starts[comparison] as usize, starts[comparison + 1] as usize);
        let n_read = self.text_starts.len() - 1;
        for first in (0..n_read).step_by(self.n_texts.max(1)) {
            let place = |text: usize| {
                self.sentence_starts[self.text_starts[first + text] as usize] as usize
            };
            ids[place(begin)..place(end)].iter_mut().for_each(&mut visit);
        }
    }
}
