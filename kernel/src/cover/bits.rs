//! Sets of small numbers.

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    pub const EMPTY: Bits<W> = Bits([0; W]);

    pub fn with(mut self, item: usize) -> Bits<W> {
        self.0[item / 64] |= 1 << (item % 64);
        self
    }

    pub fn has(&self, item: usize) -> bool {
        self.0[item / 64] >> (item % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub fn meets(&self, other: &Bits<W>) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn and(mut self, other: &Bits<W>) -> Bits<W> {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one &= other);
        self
    }

    pub fn or(mut self, other: &Bits<W>) -> Bits<W> {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one |= other);
        self
    }

    pub fn without(mut self, other: &Bits<W>) -> Bits<W> {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one &= !other);
        self
    }

    /// Returns whether its items, in order, come before those of another set as large.
    pub fn comes_before(&self, other: &Bits<W>) -> bool {
        for (one, other) in self.0.iter().zip(&other.0) {
            let differing = one ^ other;
            if differing != 0 {
                return differing & differing.wrapping_neg() & one != 0;
            }
        }
        false
    }

    pub fn items(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(place, &word)| {
            std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| place * 64 + rest.trailing_zeros() as usize)
        })
    }
}
