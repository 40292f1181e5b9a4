//! The inner loops of Awase behind a C interface; `core/kernel` of the Python package calls it.
//!
//! Every function here has a twin in Python and numpy, which runs where this library was not built.
//! Both give the same numbers, and tests compare them. Nothing is kept between calls, no function
//! calls back, none panics towards its caller, and all offsets are checked before they are followed.

mod boundary;
mod budget;
mod comparison;
mod keys;
mod lanes;
mod matching;
mod numbering;
mod paths;
mod skips;
mod stems;
mod tokens;
mod units;
mod words;

pub use boundary::{Array, ArrayMut, DONE, FAILED, TOO_LARGE, UNFIT};
pub use budget::{
    awase_budget, awase_budget_ties, awase_recount, HIGHEST, SETTLED, SHORTEST, STOPPED,
};
pub use comparison::RawTexts;
pub use matching::awase_matching;
pub use numbering::awase_numbers;
pub use paths::awase_paths;
pub use tokens::awase_tokens;
pub use units::{awase_ngrams, awase_skip_bigrams};
pub use words::awase_words;

/// Rises whenever what a function takes or returns changes; the caller refuses another number.
pub const INTERFACE: u32 = 13;

/// Returns the number of this interface.
#[no_mangle]
pub extern "C" fn awase_interface() -> u32 {
    INTERFACE
}
