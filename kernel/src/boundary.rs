//! Where the caller's memory becomes slices, and where a panic ends: with a call in `lanes.rs` the
//! only unsafe code.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// All was written.
pub const DONE: i32 = 0;
/// Sizes or offsets contradict each other; what was written is worth nothing.
pub const UNFIT: i32 = 1;
/// A defect of this library; what was written is worth nothing.
pub const FAILED: i32 = 2;
/// It would take more memory than is decent; the caller does it in another way.
pub const TOO_LARGE: i32 = 3;

/// Why nothing was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Unfit,
    TooLarge,
}

/// What every function does: nothing, or why it could not.
pub type Outcome = Result<(), Refusal>;

/// Numbers of the caller, to be read.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Array<T> {
    data: *const T,
    len: usize,
}

/// Numbers of the caller, to be written.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ArrayMut<T> {
    data: *mut T,
    len: usize,
}

impl<T> Array<T> {
    /// # Safety
    /// There are `len` numbers at `data`, which nobody changes meanwhile.
    pub unsafe fn slice<'a>(self) -> &'a [T] {
        if self.len == 0 || self.data.is_null() {
            return &[];
        }
        from_raw_parts(self.data, self.len)
    }
}

impl<T> ArrayMut<T> {
    /// # Safety
    /// There are `len` numbers at `data`, of which nobody else knows meanwhile.
    pub unsafe fn slice<'a>(self) -> &'a mut [T] {
        if self.len == 0 || self.data.is_null() {
            return &mut [];
        }
        from_raw_parts_mut(self.data, self.len)
    }
}

/// Does the work and returns how it went; a panic does not get further than here.
pub fn guarded(work: impl FnOnce() -> Outcome) -> i32 {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => DONE,
        Ok(Err(Refusal::Unfit)) => UNFIT,
        Ok(Err(Refusal::TooLarge)) => TOO_LARGE,
        Err(_) => FAILED,
    }
}

/// Goes on if something holds.
pub fn require(holds: bool) -> Outcome {
    if holds {
        Ok(())
    } else {
        Err(Refusal::Unfit)
    }
}

/// Returns offsets as places, if they begin at 0, never fall, and end at `n_below`.
pub fn checked_offsets(offsets: &[i64], n_below: usize) -> Result<&[i64], Refusal> {
    let ends = (offsets.first().copied(), offsets.last().copied());
    require(ends == (Some(0), i64::try_from(n_below).ok()))?;
    require(offsets.windows(2).all(|pair| pair[0] <= pair[1]))?;
    Ok(offsets)
}
