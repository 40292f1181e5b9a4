//! A table from pairs of numbers to numbers of their own, made to be emptied and filled often.

use std::mem::take;

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 / golden ratio
const FREE: u64 = u64::MAX;
const SMALLEST: usize = 1 << 10;

/// Numbers pairs from 1 on, in the order in which they are met.
pub struct Pairs {
    keys: Vec<u64>,
    values: Vec<u32>,
    shift: u32,
    n: u32,
}

impl Pairs {
    pub fn new() -> Pairs {
        let mut pairs = Pairs { keys: Vec::new(), values: Vec::new(), shift: 0, n: 0 };
        pairs.clear();
        pairs
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.resize(SMALLEST);
        self.n = 0;
    }

    /// Returns how many different pairs there are.
    pub fn len(&self) -> usize {
        self.n as usize
    }

    /// Returns the number of a pair, a new one if it was not there.
    pub fn number(&mut self, first: u32, second: u32) -> u32 {
        let key = key_of(first, second);
        let place = self.place(key);
        if self.keys[place] != FREE {
            return self.values[place];
        }
        self.n += 1;
        self.keys[place] = key;
        self.values[place] = self.n;
        if 4 * self.len() > self.keys.len() {
            self.grow();
        }
        self.n
    }

    /// Returns the number of a pair, 0 if it is not there.
    pub fn known(&self, first: u32, second: u32) -> u32 {
        let place = self.place(key_of(first, second));
        if self.keys[place] == FREE {
            0
        } else {
            self.values[place]
        }
    }

    fn resize(&mut self, size: usize) {
        self.keys.clear();
        self.keys.resize(size, FREE);
        self.values.resize(size, 0);
        self.shift = 64 - size.trailing_zeros();
    }

    fn grow(&mut self) {
        let (keys, values) = (take(&mut self.keys), take(&mut self.values));
        self.resize(2 * keys.len());
        for (key, value) in keys.into_iter().zip(values).filter(|&(key, _)| key != FREE) {
            let place = self.place(key);
            self.keys[place] = key;
            self.values[place] = value;
        }
    }

    fn place(&self, key: u64) -> usize {
        let mask = self.keys.len() - 1;
        let mut place = (key.wrapping_mul(MULTIPLIER) >> self.shift) as usize & mask;
        while self.keys[place] != key && self.keys[place] != FREE {
            place = (place + 1) & mask;
        }
        place
    }
}

fn key_of(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}
