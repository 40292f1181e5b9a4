//! The inner loops of Awase behind a C interface; `core/kernel` of the Python package calls it.
//!
//! Every function here has a twin in numpy, which runs where this library was not built. Both give
//! the same numbers, and tests compare them. Nothing is kept between calls, and no function calls
//! back, so that several threads may count at once.

mod comparison;
mod keys;
mod paths;
mod tokens;
mod units;

pub use paths::awase_paths;
pub use tokens::awase_tokens;
pub use units::{awase_ngrams, awase_skip_bigrams};

/// Rises whenever the arguments of a function change; the caller refuses another number.
pub const INTERFACE: u32 = 1;

/// Returns the number of this interface.
#[no_mangle]
pub extern "C" fn awase_interface() -> u32 {
    INTERFACE
}
