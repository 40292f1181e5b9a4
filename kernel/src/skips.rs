//! Numbers of the pairs of tokens that references have, found for every pair of a summary.

use crate::comparison::FOREIGN;
use crate::keys::Pairs;
use crate::units::each_pair;

/// Of the table that has a cell for each pair there can be: it stays in a processor's cache.
const MOST_CELLS: usize = 1 << 20;

/// Numbers pairs from 1 on, in the order in which they are met; of few different tokens by a table
/// with a cell for each pair, which needs neither hash nor branch.
pub struct PairNumbers {
    cells: Vec<u32>,
    n_rows: usize,
    side: usize,
    filled: Vec<usize>,
    pairs: Pairs,
}

impl PairNumbers {
    pub fn new() -> PairNumbers {
        let (cells, filled, pairs) = (Vec::new(), Vec::new(), Pairs::new());
        PairNumbers { cells, n_rows: 0, side: 0, filled, pairs }
    }

    /// Forgets all pairs; those to come are of units from 1 to `n_units` and tokens from 1 to
    /// `n_ids`.
    pub fn clear(&mut self, n_units: usize, n_ids: usize) {
        for &place in &self.filled {
            self.cells[place] = FOREIGN;
        }
        self.filled.clear();
        (self.n_rows, self.side) = (n_units + 1, n_ids + 1);
        if self.has_cells() {
            let n_cells = self.n_rows * self.side;
            self.cells.resize(n_cells.max(self.cells.len()), FOREIGN);
        } else {
            self.pairs.clear();
        }
    }

    /// Returns how many different pairs there are.
    pub fn len(&self) -> usize {
        if self.has_cells() {
            self.filled.len()
        } else {
            self.pairs.len()
        }
    }

    /// Returns the number of a pair, a new one if it was not there.
    pub fn number(&mut self, first: u32, second: u32) -> u32 {
        if !self.has_cells() {
            return self.pairs.number(first, second);
        }
        let place = first as usize * self.side + second as usize;
        if self.cells[place] == FOREIGN {
            self.filled.push(place);
            self.cells[place] = self.filled.len() as u32;
        }
        self.cells[place]
    }

    /// Returns the number of a pair, `FOREIGN` if it is not there.
    pub fn known(&self, first: u32, second: u32) -> u32 {
        if !self.has_cells() {
            return self.pairs.known(first, second);
        }
        self.cells[first as usize * self.side + second as usize]
    }

    /// Puts the numbers of a text's pairs that are known into `into`, in the order of the text.
    pub fn known_within(&self, tokens: &[u32], farthest: usize, into: &mut Vec<u32>) {
        into.clear();
        if !self.has_cells() {
            each_pair(tokens, farthest, |first, second| match self.pairs.known(first, second) {
                FOREIGN => (),
                known => into.push(known),
            });
            return;
        }
        let mut n = 0;
        for (place, &first) in tokens.iter().enumerate() {
            let rest = &tokens[place + 1..];
            let rest = &rest[..farthest.min(rest.len())];
            let row = &self.cells[first as usize * self.side..][..self.side];
            into.resize(n + rest.len(), FOREIGN);
            // Every number is written, and the next one over it where there was none.
            for &second in rest {
                into[n] = row[second as usize];
                n += usize::from(into[n] != FOREIGN);
            }
        }
        into.truncate(n);
    }

    fn has_cells(&self) -> bool {
        self.n_rows.saturating_mul(self.side) <= MOST_CELLS
    }
}
