//! ROUGE-L and ROUGE-W: which tokens of a reference lie on the paths that ROUGE-1.5.5 walks back
//! through its tables, the union over a summary's sentences, clipped and counted.
//!
//! A reference sentence is a row of bits, as many words of 64 as it needs. In column j of a table
//! the walk goes up, to earlier tokens of the reference, until it meets a match (which it marks,
//! and leaves diagonally) or a place where it must turn left; both are bits of `stops`.

use crate::boundary::{guarded, require, Array, ArrayMut, Refusal};
use crate::comparison::{checked_ids, RawTexts, Texts, FOREIGN};
use crate::lanes;
use std::ops::Range;

const BITS: usize = 64;
/// Words of the tables that are held at once: references too long for it are cut between sentences.
const MOST_WORDS: usize = 1 << 21;
/// A single sentence may need more, up to here; a longer one is left to the caller.
const MOST_WORDS_OF_ONE: usize = 1 << 26;

/// Counts the tokens of each reference that a summary hits, or what their runs weigh.
///
/// Writes (n_peers, n_slots) to `hits`. The sentences are those `apart`, what may be hit is told by
/// the `running` texts. `powers` holds k to the power of the weight for k = 0 to one more than the
/// longest sentence has tokens; no powers = ROUGE-L.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_paths(
    peers_running: &RawTexts,
    models_running: &RawTexts,
    peers_apart: &RawTexts,
    models_apart: &RawTexts,
    ids: Array<i64>,
    powers: Array<f64>,
    n_slots: usize,
    hits: ArrayMut<f64>,
) -> i32 {
    guarded(|| {
        let sides = Sides {
            peers: Texts::checked(peers_apart)?,
            models: Texts::checked(models_apart)?,
            peers_running: Texts::checked(peers_running)?,
            models_running: Texts::checked(models_running)?,
        };
        let ids = checked_ids(ids, sides.models.n_comparisons())?;
        let (powers, hits) = (powers.slice(), hits.slice());
        sides.check(powers, n_slots, hits.len())?;
        let mut paths = Paths { powers, ..Paths::default() };
        for comparison in 0..sides.models.n_comparisons() {
            sides.count(
                comparison,
                (ids[comparison], ids[comparison + 1]),
                &mut paths,
                n_slots,
                hits,
            )?;
        }
        Ok(())
    })
}

/// Both readings of both sides.
struct Sides<'a> {
    peers: Texts<'a>,
    models: Texts<'a>,
    peers_running: Texts<'a>,
    models_running: Texts<'a>,
}

impl Sides<'_> {
    fn check(&self, powers: &[f64], n_slots: usize, n_cells: usize) -> Result<(), Refusal> {
        let (peers, models) = (&self.peers, &self.models);
        require(peers.n_comparisons() == models.n_comparisons() && models.widest() <= n_slots)?;
        for (apart, running) in [(peers, &self.peers_running), (models, &self.models_running)] {
            require(apart.n_comparisons() == running.n_comparisons())?;
            let same = (0..apart.n_comparisons()).all(|one| apart.texts(one) == running.texts(one));
            require(same)?;
        }
        require(powers.is_empty() || powers.len() >= longest(models, 0..models.n_texts()) + 2)?;
        require(peers.n_texts().checked_mul(n_slots) == Some(n_cells))
    }

    fn count(
        &self,
        comparison: usize,
        ids: (i64, i64),
        paths: &mut Paths,
        n_slots: usize,
        hits: &mut [f64],
    ) -> Result<(), Refusal> {
        let (first_id, n_ids) = (ids.0, (ids.1 - ids.0) as usize);
        let sentences = Sentences::of(&self.models, comparison, first_id);
        let texts = self.peers.texts(comparison);
        paths.n_rows = n_ids + 1 + longest(&self.peers, texts.clone());
        let widest = sentences.rows.iter().map(|row| row.words.len()).max().unwrap_or(0);
        if widest.saturating_mul(paths.n_rows) > MOST_WORDS_OF_ONE {
            return Err(Refusal::TooLarge);
        }
        let marks = paths.marks(&self.peers, comparison, first_id, n_ids, &sentences);
        let mut room = Room::new(n_ids);
        let mut tokens = Vec::new();
        let models = self.models.texts(comparison);
        for model in models.clone() {
            let running = self.models_running.tokens_of_text(model);
            self.models_running.read(running, first_id, &mut tokens);
            room.add_reference(&tokens);
        }
        for peer in texts.clone() {
            let running = self.peers_running.tokens_of_text(peer);
            self.peers_running.read(running, first_id, &mut tokens);
            room.take_summary(&tokens);
            let marks = &marks[(peer - texts.start) * sentences.n_words..];
            for (slot, model) in models.clone().enumerate() {
                let rows = sentences.of_text(&self.models, model);
                room.clear(slot);
                hits[peer * n_slots + slot] = if paths.powers.is_empty() {
                    f64::from(room.n_hits(&sentences, rows, marks))
                } else {
                    room.weight_of_runs(&sentences, rows, marks, paths.powers)
                };
            }
        }
        Ok(())
    }
}

/// Returns how many tokens the longest sentence of some texts has.
fn longest(texts: &Texts, of: Range<usize>) -> usize {
    of.flat_map(|text| texts.sentences(text)).map(|one| texts.tokens(one).len()).max().unwrap_or(0)
}

/// The references' sentences of one comparison, one after the other.
struct Sentences {
    tokens: Vec<u32>,
    rows: Vec<Row>,
    n_words: usize,
    first: usize,
}

/// Where one sentence's tokens stand, and its words among those of all sentences.
#[derive(Clone)]
struct Row {
    tokens: Range<usize>,
    words: Range<usize>,
}

impl Sentences {
    fn of(models: &Texts, comparison: usize, first_id: i64) -> Sentences {
        let texts = models.texts(comparison);
        let (mut tokens, mut rows, mut n_words) = (Vec::new(), Vec::new(), 0);
        let first = if texts.is_empty() { 0 } else { models.sentences(texts.start).start };
        let begin = if texts.is_empty() { 0 } else { models.tokens_of_text(texts.start).start };
        let mut end = begin;
        for text in texts {
            for sentence in models.sentences(text) {
                let range = models.tokens(sentence);
                end = range.end;
                let words = n_words..n_words + range.len().div_ceil(BITS);
                n_words = words.end;
                rows.push(Row { tokens: range.start - begin..range.end - begin, words });
            }
        }
        models.read(begin..end, first_id, &mut tokens);
        Sentences { tokens, rows, n_words, first }
    }

    /// Returns which rows are of a text.
    fn of_text(&self, models: &Texts, text: usize) -> Range<usize> {
        let sentences = models.sentences(text);
        sentences.start - self.first..sentences.end - self.first
    }
}

fn is_set(words: &[u64], bit: usize) -> bool {
    words[bit / BITS] >> (bit % BITS) & 1 != 0
}

/// The walks of all summaries of a comparison; keeps its tables from one to the next.
#[derive(Default)]
struct Paths<'a> {
    powers: &'a [f64],
    /// Of tokens that have a row in the tables: of all references and of the longest sentence.
    n_rows: usize,
    places: Vec<u64>,
    whole: Vec<u64>,
    flat: Vec<u64>,
    stops: Vec<u64>,
    best: Vec<f64>,
    runs: Vec<u32>,
    lanes: lanes::Lanes,
}

impl Paths<'_> {
    /// Returns (n_peers, n_words) the tokens that any sentence of a summary marked.
    fn marks(
        &mut self,
        peers: &Texts,
        comparison: usize,
        first_id: i64,
        n_ids: usize,
        sentences: &Sentences,
    ) -> Vec<u64> {
        let texts = peers.texts(comparison);
        let mut marks = vec![0; texts.len() * sentences.n_words];
        let (mut begin, mut sentence) = (0, Vec::new());
        while begin < sentences.rows.len() {
            let rows = self.block(sentences, begin);
            begin += rows.len();
            let block = Block::of(sentences, rows);
            if block.words.is_empty() {
                continue;
            }
            self.fill_places(sentences, &block, n_ids);
            for (peer, text) in texts.clone().enumerate() {
                let marks = &mut marks[peer * sentences.n_words..][block.words.clone()];
                for tokens in peers.sentences(text).map(|sentence| peers.tokens(sentence)) {
                    peers.read(tokens, first_id, &mut sentence);
                    leave_out_idle(&mut sentence);
                    self.walk(sentences, &block, &sentence, marks);
                }
            }
        }
        marks
    }

    fn block(&self, sentences: &Sentences, begin: usize) -> Range<usize> {
        let first = sentences.rows[begin].words.start;
        let most = first + (MOST_WORDS / self.n_rows).max(1);
        let mut end = begin + 1;
        while end < sentences.rows.len() && sentences.rows[end].words.end <= most {
            end += 1;
        }
        begin..end
    }

    fn fill_places(&mut self, sentences: &Sentences, block: &Block, n_ids: usize) {
        let n_words = block.n_words;
        self.places.clear();
        self.places.resize((n_ids + 1) * n_words, 0);
        self.whole.clear();
        self.whole.resize(n_words, 0);
        for row in &sentences.rows[block.rows.clone()] {
            let first = row.words.start - block.words.start;
            for (bit, &id) in sentences.tokens[row.tokens.clone()].iter().enumerate() {
                self.places[id as usize * n_words + first + bit / BITS] |= 1 << (bit % BITS);
            }
            if row.words.len() == 1 {
                self.whole[first] = u64::MAX >> (BITS - row.tokens.len());
            }
        }
        // What has no place is FOREIGN, which no reference has.
        self.places[FOREIGN as usize * n_words..][..n_words].fill(0);
    }

    /// Marks what the path of a sentence meets; `marks` are those of the block.
    fn walk(&mut self, sentences: &Sentences, block: &Block, sentence: &[u32], marks: &mut [u64]) {
        let rows = &sentences.rows[block.rows.clone()];
        let is_weighted = !self.powers.is_empty();
        if !is_weighted {
            let (places, whole, n_words) = (&self.places, &self.whole, block.n_words);
            let narrow = lanes::Block { places, n_words, whole };
            self.lanes.mark(&narrow, sentence, marks);
        }
        for row in rows.iter().filter(|row| is_weighted || row.words.len() > 1) {
            let words = row.words.start - block.words.start..row.words.end - block.words.start;
            if is_weighted {
                self.stops_of_weights(row, block, sentence);
            } else {
                self.stops_of_lengths(row, block, sentence);
            }
            self.walk_back(sentence, words.clone(), block, row.tokens.len(), &mut marks[words]);
        }
    }

    /// Finds where the rows of the table of a longest common subsequence grow, for a sentence of
    /// several words.
    ///
    /// Source: Hyyro (2004), "Bit-parallel LCS-length computation revisited".
    fn stops_of_lengths(&mut self, row: &Row, block: &Block, sentence: &[u32]) {
        let (at, n_words) = (row.words.start - block.words.start, row.words.len());
        self.flat.clear();
        self.flat.resize(n_words, u64::MAX);
        self.stops.clear();
        self.stops.resize(sentence.len() * n_words, 0);
        for (step, &id) in sentence.iter().enumerate() {
            let matches = &self.places[id as usize * block.n_words + at..][..n_words];
            let stops = &mut self.stops[step * n_words..][..n_words];
            let mut carry = false;
            for ((flat, &here), stop) in self.flat.iter_mut().zip(matches).zip(stops) {
                let common = *flat & here;
                let (sum, over) = flat.overflowing_add(common);
                let (sum, again) = sum.overflowing_add(u64::from(carry));
                carry = over || again;
                *flat = sum | (*flat ^ common);
                *stop = !*flat | here;
            }
        }
    }

    /// Finds where the rows of the weighted table grow, in the program's order of additions: ties
    /// decide the path and hang on the last bit.
    fn stops_of_weights(&mut self, row: &Row, block: &Block, sentence: &[u32]) {
        let (at, n_words) = (row.words.start - block.words.start, row.words.len());
        let n_tokens = row.tokens.len();
        self.best.clear();
        self.best.resize(n_tokens + 1, 0.0);
        self.runs.clear();
        self.runs.resize(n_tokens + 1, 0);
        self.stops.clear();
        self.stops.resize(sentence.len() * n_words, 0);
        for (step, &id) in sentence.iter().enumerate() {
            let matches = &self.places[id as usize * block.n_words + at..][..n_words];
            let stops = &mut self.stops[step * n_words..][..n_words];
            let (mut diagonal, mut run) = (self.best[0], 0);
            for token in 0..n_tokens {
                let (left, left_run) = (self.best[token + 1], self.runs[token + 1]);
                let above = self.best[token];
                let is_match = is_set(matches, token);
                let here = if is_match {
                    let run = run as usize;
                    (diagonal + self.powers[run + 1]) - self.powers[run]
                } else if above > left {
                    above
                } else {
                    left
                };
                self.best[token + 1] = here;
                self.runs[token + 1] = if is_match { run + 1 } else { 0 };
                if is_match || here > above {
                    stops[token / BITS] |= 1 << (token % BITS);
                }
                (diagonal, run) = (left, left_run);
            }
        }
    }

    fn walk_back(
        &self,
        sentence: &[u32],
        words: Range<usize>,
        block: &Block,
        n_tokens: usize,
        marks: &mut [u64],
    ) {
        // One more than the last bit that may be looked at.
        let mut below = n_tokens;
        for step in (0..sentence.len()).rev() {
            let stops = &self.stops[step * words.len()..][..words.len()];
            let Some(highest) = highest_below(stops, below) else {
                break;
            };
            let matches = &self.places[sentence[step] as usize * block.n_words..][words.clone()];
            if is_set(matches, highest) {
                marks[highest / BITS] |= 1 << (highest % BITS);
                below = highest;
            } else {
                below = highest + 1;
            }
        }
    }
}

/// Sentences whose tables are held at once.
struct Block {
    rows: Range<usize>,
    /// Which of the words of all sentences are theirs.
    words: Range<usize>,
    /// Words of a row of the tables: somewhat more, so that they can be taken by groups.
    n_words: usize,
}

impl Block {
    fn of(sentences: &Sentences, rows: Range<usize>) -> Block {
        let words = sentences.rows[rows.start].words.start..sentences.rows[rows.end - 1].words.end;
        Block { rows, n_words: words.len().next_multiple_of(lanes::LANES), words }
    }
}

fn highest_below(words: &[u64], below: usize) -> Option<usize> {
    let mut word = below.div_ceil(BITS);
    let mut mask = if below % BITS == 0 { u64::MAX } else { (1 << (below % BITS)) - 1 };
    while word > 0 {
        word -= 1;
        let here = words[word] & mask;
        if here != 0 {
            return Some(word * BITS + BITS - 1 - here.leading_zeros() as usize);
        }
        mask = u64::MAX;
    }
    None
}

/// Leaves out foreign tokens that cannot matter: they change no row but the first of a run, and
/// before the first match of a sentence the walk has ended anyway.
fn leave_out_idle(sentence: &mut Vec<u32>) {
    let mut before = FOREIGN;
    sentence.retain(|&id| {
        let matters = id != FOREIGN || before != FOREIGN;
        before = id;
        matters
    });
}

/// How often each token may still be hit: no more often than the reference and the summary have it.
struct Room {
    n_ids: usize,
    /// (n_references, n_ids + 1)
    of_references: Vec<u32>,
    of_summary: Vec<u32>,
    left: Vec<u32>,
}

impl Room {
    fn new(n_ids: usize) -> Room {
        let (of_summary, left) = (vec![0; n_ids + 1], vec![0; n_ids + 1]);
        Room { n_ids, of_references: Vec::new(), of_summary, left }
    }

    fn add_reference(&mut self, tokens: &[u32]) {
        let first = self.of_references.len();
        self.of_references.resize(first + self.n_ids + 1, 0);
        tokens.iter().for_each(|&id| self.of_references[first + id as usize] += 1);
    }

    fn take_summary(&mut self, tokens: &[u32]) {
        self.of_summary.fill(0);
        tokens.iter().for_each(|&id| self.of_summary[id as usize] += 1);
    }

    /// Nothing of this reference was hit so far.
    fn clear(&mut self, slot: usize) {
        let of_reference = &self.of_references[slot * (self.n_ids + 1)..];
        for ((left, &one), &other) in self.left.iter_mut().zip(of_reference).zip(&self.of_summary) {
            *left = one.min(other);
        }
    }

    fn is_hit(&mut self, id: u32) -> bool {
        let left = &mut self.left[id as usize];
        let has_room = *left > 0;
        *left -= u32::from(has_room);
        has_room
    }

    fn n_hits(&mut self, sentences: &Sentences, rows: Range<usize>, marks: &[u64]) -> u32 {
        let mut n = 0;
        for row in &sentences.rows[rows] {
            for (index, &word) in marks[row.words.clone()].iter().enumerate() {
                let mut rest = word;
                while rest != 0 {
                    let bit = index * BITS + rest.trailing_zeros() as usize;
                    n += u32::from(self.is_hit(sentences.tokens[row.tokens.start + bit]));
                    rest &= rest - 1;
                }
            }
        }
        n
    }

    /// Adds up what the runs of hits weigh, in the program's order.
    ///
    /// A run ends at a hit before an unmarked token, or at a hit that ends the sentence. A marked
    /// token that does not count neither lengthens a run nor ends it, and what is pending when the
    /// sentence ends on one is lost, as in ROUGE-1.5.5.
    fn weight_of_runs(
        &mut self,
        sentences: &Sentences,
        rows: Range<usize>,
        marks: &[u64],
        powers: &[f64],
    ) -> f64 {
        let mut sum = 0.0;
        for row in &sentences.rows[rows] {
            let marks = &marks[row.words.clone()];
            let tokens = &sentences.tokens[row.tokens.clone()];
            let mut pending = 0;
            for (place, &id) in tokens.iter().enumerate() {
                if !is_set(marks, place) || !self.is_hit(id) {
                    continue;
                }
                pending += 1;
                if place + 1 == tokens.len() || !is_set(marks, place + 1) {
                    sum += powers[pending];
                    pending = 0;
                }
            }
        }
        sum
    }
}
