//! ROUGE-L's tables for reference sentences of up to 64 tokens, all of them side by side.
//!
//! Every sentence is one word of bits. Where the processor has wider registers than every x86-64
//! the same code is compiled for them, too; it is integer arithmetic and gives the same bits.

/// Words that go through a processor together, in registers from the first step to the last.
pub const LANES: usize = 8;

type Group = [u64; LANES];

/// Where the tokens of a block of sentences stand, and from where each is walked back.
pub struct Block<'a> {
    /// (n_ids + 1, n_words) bits: where each token stands in each sentence.
    pub places: &'a [u64],
    /// Words of a row of `places`: a multiple of `LANES`.
    pub n_words: usize,
    /// (n_words,) the bits that sentences have; 0 = the word is left alone.
    pub whole: &'a [u64],
}

/// What is kept from one summary's sentence to the next, so that it is made once.
#[derive(Default)]
pub struct Lanes {
    /// Where the token of each step matches, and where the walk back stops at it.
    steps: Vec<(Group, Group)>,
}

impl Lanes {
    /// Marks what the paths of a summary's sentence through the tables of all sentences meet.
    pub fn mark(&mut self, block: &Block, sentence: &[u32], marks: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor was just asked whether it has these instructions.
            return unsafe { self.mark_wide(block, sentence, marks) };
        }
        self.mark_all(block, sentence, marks);
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn mark_wide(&mut self, block: &Block, sentence: &[u32], marks: &mut [u64]) {
        self.mark_all(block, sentence, marks);
    }

    #[inline(always)]
    fn mark_all(&mut self, block: &Block, sentence: &[u32], marks: &mut [u64]) {
        for (at, marks) in marks.chunks_mut(LANES).enumerate() {
            self.fill_stops(block, at * LANES, sentence);
            self.walk_back(block, at * LANES, marks);
        }
    }

    /// Finds where the rows of the table of a longest common subsequence grow.
    ///
    /// Source: Hyyro (2004), "Bit-parallel LCS-length computation revisited".
    #[inline(always)]
    fn fill_stops(&mut self, block: &Block, first: usize, sentence: &[u32]) {
        self.steps.clear();
        let mut flat = [u64::MAX; LANES];
        for &id in sentence {
            let here = group(&block.places[id as usize * block.n_words + first..]);
            let mut stops = [0; LANES];
            for lane in 0..LANES {
                let common = flat[lane] & here[lane];
                flat[lane] = flat[lane].wrapping_add(common) | (flat[lane] ^ common);
                stops[lane] = !flat[lane] | here[lane];
            }
            self.steps.push((here, stops));
        }
    }

    /// Walks through all sentences from their ends, and marks the matches on the way.
    #[inline(always)]
    fn walk_back(&mut self, block: &Block, first: usize, marks: &mut [u64]) {
        let mut below = group(&block.whole[first..]);
        let mut met = [0; LANES];
        for (here, stops) in self.steps.iter().rev() {
            for lane in 0..LANES {
                below[lane] = up_to_highest(stops[lane] & below[lane]);
            }
            for lane in 0..LANES {
                let upto = below[lane];
                let highest = upto ^ (upto >> 1);
                met[lane] |= here[lane] & highest;
                // Where there is nowhere to stop nothing is left, as the walk has ended.
                below[lane] = (upto >> 1) | (highest & !here[lane]);
            }
        }
        for (mark, met) in marks.iter_mut().zip(met) {
            *mark |= met;
        }
    }
}

#[inline(always)]
fn group(words: &[u64]) -> Group {
    let mut group = [0; LANES];
    group.copy_from_slice(&words[..LANES]);
    group
}

/// Returns the highest bit that is set and all below it. Without counting zeros, so that several
/// words go through a processor side by side.
#[inline(always)]
fn up_to_highest(word: u64) -> u64 {
    let mut bits = word | word >> 1;
    bits |= bits >> 2;
    bits |= bits >> 4;
    bits |= bits >> 8;
    bits |= bits >> 16;
    bits | bits >> 32
}
