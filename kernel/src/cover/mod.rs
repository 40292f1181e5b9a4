//! Minimal covers: h, what all minimal covers have in common, and their number.
//!
//! What can be told without search is, then each part that shares no item with the rest is searched
//! depth first with a bound from the dual of the linear relaxation, whose shares are found
//! once, by subgradient, and completed at every node. Everything that decides is whole numbers.

mod bits;
mod bound;
mod core;
mod hunt;
mod local;
mod needs;
mod presolve;
mod random;
mod rough;
mod search;
mod sets;

use crate::boundary::{bytes, checked_offsets, guarded, require, Array, ArrayMut, Refusal, DONE};
use hunt::{Effort, Found};
use local::{Lists, Local};
use presolve::{items_of, presolve, Given, Left, Presolved};
use rough::Rough;

/// All is known.
pub const COMPLETE: i64 = 0;
/// The cover is minimal; what minimal covers have in common is not known.
pub const MINIMAL: i64 = 1;
/// The steps were over first, or the part is too large to be searched.
pub const UNSOLVED: i64 = 2;

/// Items are below it.
const MOST_ITEMS: usize = 1 << 16;
/// Rows of items: the cover; those in every, in any minimal cover; mentioned; forced.
const N_SETS: usize = 5;
/// What is told first: how many parts there are, steps of the readable bound, and steps taken.
const N_TOLD: usize = 3;
/// Rows of needs: the part of each, steps of the bound (need, items), then of each part the stage,
/// a bound of the size of all covers, how many minimal ones were found, and whether they are all.
const N_ROWS: usize = 7;
/// Of a need that nothing satisfies, and of one that is satisfied when others are.
const HOPELESS: i64 = -2;
const MET: i64 = -1;
/// Said instead of a size, where some need is hopeless.
const NO_COVER: i64 = -1;
/// How many bytes a number has.
const WIDE: usize = 8;

/// Finds the minimal covers of needs, as `minimal_cover` of `core/solvers/cover` defines them.
///
/// `items` of alternatives, whose offsets are `alternatives`, of needs, whose offsets are `needs`;
/// items from 0 to `n_items`, of which those `forbidden` are not to be used. In each part minimal
/// covers are counted up to `max_covers` (0 = one is enough). `steps`: in all, in a part, and of each
/// search of a part before its core is sought.
/// Writes `N_SETS` rows of items to `sets`; `N_TOLD` numbers, then `N_ROWS` rows of needs to `told`.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_cover(
    items: Array<i64>,
    alternatives: Array<i64>,
    needs: Array<i64>,
    forbidden: Array<i64>,
    n_items: usize,
    max_covers: i64,
    steps: Array<i64>,
    sets: ArrayMut<u8>,
    told: ArrayMut<i64>,
) -> i32 {
    guarded(|| {
        let (items, alternatives, needs) = (items.slice(), alternatives.slice(), needs.slice());
        let (sets, told) = (sets.slice(), told.slice());
        let alternatives = checked_offsets(alternatives, items.len())?;
        let needs = checked_offsets(needs, alternatives.len() - 1)?;
        require(max_covers >= 0 && n_items.checked_mul(N_SETS) == Some(sets.len()))?;
        let n_needs = needs.len() - 1;
        require(n_needs.checked_mul(N_ROWS).map(|n| n + N_TOLD) == Some(told.len()))?;
        let &[steps, of_a_part, before_core] = steps.slice() else { return Err(Refusal::Unfit) };
        let given = Given { items, alternatives, needs, forbidden: forbidden.slice(), n_items };
        let known = presolve(&given)?;
        let mut answer = Answer::begin(&known, n_needs, sets, told);
        let mut effort =
            Effort { max_covers: max_covers as usize, left: steps, of_a_part, before_core };
        for leaf in &known.leaves {
            answer.take(leaf, &mut effort);
        }
        answer.told[2] = steps - effort.left;
        Ok(())
    })
}

/// Finds bounds on the size of minimal covers, and nothing else, of needs in one row of numbers of
/// `width` bytes: how many needs there are, how many alternatives in all, how many each need has, how
/// many items each alternative has, and the items, from 0 to `MOST_ITEMS`.
///
/// Steps are as those of `awase_cover`. Returns the upper bound times 2^32 and the lower one; -1 where
/// nothing satisfies some need, and below it -1 less a status.
///
/// # Safety
/// There are `n_bytes` bytes at `given`.
#[no_mangle]
pub unsafe extern "C" fn awase_cover_size(
    given: *const u8,
    n_bytes: usize,
    width: usize,
    steps: i64,
    of_a_part: i64,
    before_core: i64,
) -> i64 {
    let mut size = NO_COVER;
    let status = guarded(|| {
        let given = numbers(bytes(given, n_bytes), width)?;
        let mut effort = Effort { max_covers: 0, left: steps, of_a_part, before_core };
        if let Some((lower, upper)) = bounds(&given, &mut effort)? {
            size = (upper as i64) << 32 | lower as i64;
        }
        Ok(())
    });
    if status == DONE {
        size
    } else {
        NO_COVER - i64::from(status)
    }
}

/// Finds a smaller cover of needs by local search, if there is one and it is met in so many steps.
///
/// Items, alternatives and needs are as those of `awase_cover`, no alternative has an item twice, and
/// every need has one. `limits`: the size that is enough, steps, and a number to draw others from.
/// `cover` has a flag for each item, of a cover, and gets those of the smallest found.
///
/// # Safety
/// Each array has the length that it says.
#[no_mangle]
pub unsafe extern "C" fn awase_cover_improve(
    items: Array<i64>,
    alternatives: Array<i64>,
    needs: Array<i64>,
    limits: Array<i64>,
    cover: ArrayMut<u8>,
) -> i32 {
    guarded(|| {
        let (items, cover) = (items.slice(), cover.slice());
        let alternatives = checked_offsets(alternatives.slice(), items.len())?;
        let needs = checked_offsets(needs.slice(), alternatives.len() - 1)?;
        let &[floor, steps, seed] = limits.slice() else { return Err(Refusal::Unfit) };
        require(items.iter().all(|&item| (0..cover.len() as i64).contains(&item)))?;
        let places = |offsets: &[i64]| offsets.iter().map(|&one| one as usize).collect::<Vec<_>>();
        let values = items.iter().map(|&item| item as u32).collect();
        let lists = Lists { begin: places(alternatives), values };
        let needs = places(needs);
        let flags: Vec<bool> = cover.iter().map(|&flag| flag != 0).collect();
        let mut local = Local::new(&lists, &needs, &flags, seed as u64);
        require(local.is_cover() && floor >= 0)?;
        let best = local.run(floor as usize, steps);
        cover.iter_mut().zip(best).for_each(|(flag, is_in)| *flag = u8::from(is_in));
        Ok(())
    })
}

/// Returns bytes as numbers of so many.
fn numbers(bytes: &[u8], width: usize) -> Result<Vec<i64>, Refusal> {
    if width == 1 {
        return Ok(bytes.iter().map(|&byte| i64::from(byte)).collect());
    }
    require(width == WIDE && bytes.len() % WIDE == 0)?;
    let number = |chunk: &[u8]| chunk.try_into().map(i64::from_ne_bytes);
    bytes.chunks_exact(WIDE).map(|chunk| number(chunk).map_err(|_| Refusal::Unfit)).collect()
}

/// Returns a lower and an upper bound on the size of minimal covers; None = there is none.
fn bounds(given: &[i64], effort: &mut Effort) -> Result<Option<(usize, usize)>, Refusal> {
    require(given.len() >= 2)?;
    let [n_needs, n_alternatives] = [given[0], given[1]].map(usize::try_from);
    let (Ok(n_needs), Ok(n_alternatives)) = (n_needs, n_alternatives) else {
        return Err(Refusal::Unfit);
    };
    let rest = &given[2..];
    require(n_needs <= rest.len() && n_alternatives <= rest.len() - n_needs)?;
    let (needs, rest) = rest.split_at(n_needs);
    let (alternatives, items) = rest.split_at(n_alternatives);
    let needs = offsets(needs, n_alternatives)?;
    let alternatives = offsets(alternatives, items.len())?;
    let n_items = items.iter().max().map_or(0, |&item| item.max(0) as usize + 1);
    require(n_items <= MOST_ITEMS)?;
    let forbidden = &[];
    let known =
        presolve(&Given { items, alternatives: &alternatives, needs: &needs, forbidden, n_items })?;
    if !known.conflict.is_empty() {
        return Ok(None);
    }
    let n_forced = known.forced.iter().filter(|&&is_in| is_in).count();
    let (mut lower, mut upper, mut local) = (n_forced, n_forced, vec![0; n_items]);
    for leaf in &known.leaves {
        if let [need] = &leaf[..] {
            let fewest = need.fewest();
            (lower, upper) = (lower + fewest, upper + fewest);
            continue;
        }
        let (_, _, found) = solved(leaf, effort, &mut local);
        lower += found.lower;
        upper += found.cover.iter().filter(|&&is_in| is_in).count();
    }
    Ok(Some((lower, upper)))
}

/// Returns where pieces of so many begin, and where the last of `n` ends.
fn offsets(counts: &[i64], n: usize) -> Result<Vec<i64>, Refusal> {
    let mut starts = Vec::with_capacity(counts.len() + 1);
    let mut end = 0;
    starts.push(0);
    for &count in counts {
        require((0..=n as i64 - end).contains(&count))?;
        end += count;
        starts.push(end);
    }
    require(end == n as i64)?;
    Ok(starts)
}

/// Returns the items of a part, and what is known of it without search and with it.
fn solved(leaf: &[Left], effort: &mut Effort, local: &mut [u32]) -> (Vec<u32>, Rough, Found) {
    let items = items_of(leaf);
    for (place, &item) in items.iter().enumerate() {
        local[item as usize] = place as u32;
    }
    let numbered: Vec<Left> = leaf
        .iter()
        .map(|need| Left {
            number: need.number,
            alternatives: need
                .alternatives
                .iter()
                .map(|set| set.iter().map(|&item| local[item as usize]).collect())
                .collect(),
        })
        .collect();
    let rough = Rough::of(&numbered, items.len());
    let found = if let [need] = &numbered[..] {
        Some(Found::of_one(need, &rough, effort.max_covers))
    } else if effort.max_covers == 0 && rough.lower() == rough.upper() {
        Some(Found { stage: MINIMAL, n_covers: 1, ..Found::nothing(&rough) })
    } else {
        match items.len() {
            0..=64 => hunt::solve::<1>(&numbered, &rough, effort),
            65..=128 => hunt::solve::<2>(&numbered, &rough, effort),
            129..=256 => hunt::solve::<4>(&numbered, &rough, effort),
            257..=512 => hunt::solve::<8>(&numbered, &rough, effort),
            _ => None,
        }
    };
    let found = found.unwrap_or_else(|| Found::nothing(&rough));
    (items, rough, found)
}

/// What is written for the caller.
struct Answer<'a> {
    sets: Vec<&'a mut [u8]>,
    told: &'a mut [i64],
    rows: Vec<&'a mut [i64]>,
    local: Vec<u32>,
}

impl<'a> Answer<'a> {
    fn begin(
        known: &Presolved,
        n_needs: usize,
        sets: &'a mut [u8],
        told: &'a mut [i64],
    ) -> Answer<'a> {
        let n_items = known.forced.len();
        let (told, rows) = told.split_at_mut(N_TOLD);
        told.fill(0);
        rows.fill(0);
        let mut rows: Vec<&mut [i64]> = rows.chunks_mut(n_needs.max(1)).collect();
        let mut sets: Vec<&mut [u8]> = sets.chunks_mut(n_items.max(1)).collect();
        for (row, set) in sets.iter_mut().enumerate() {
            let flags = if row == 3 { &known.mentioned } else { &known.forced };
            set.iter_mut().zip(flags).for_each(|(cell, &flag)| *cell = u8::from(flag));
        }
        if n_needs > 0 {
            rows[0].fill(MET);
            known.conflict.iter().for_each(|&need| rows[0][need] = HOPELESS);
        }
        Answer { sets, told, rows, local: vec![0; n_items] }
    }

    /// Solves a part, and writes what is found.
    fn take(&mut self, leaf: &[Left], effort: &mut Effort) {
        let (items, rough, found) = solved(leaf, effort, &mut self.local);
        self.write(leaf, &items, &rough, &found);
    }

    fn write(&mut self, leaf: &[Left], items: &[u32], rough: &Rough, found: &Found) {
        for (row, flags) in [&found.cover, &found.every, &found.possible].into_iter().enumerate() {
            for (&item, &flag) in items.iter().zip(flags) {
                self.sets[row][item as usize] = u8::from(flag);
            }
        }
        let part = self.told[0];
        leaf.iter().for_each(|need| self.rows[0][need.number] = part);
        for &(need, n_items) in &rough.steps {
            self.rows[1][self.told[1] as usize] = need as i64;
            self.rows[2][self.told[1] as usize] = n_items as i64;
            self.told[1] += 1;
        }
        let lower = found.lower.max(rough.lower()) as i64;
        let (n, exact) = (found.n_covers as i64, i64::from(found.are_all));
        for (row, value) in [found.stage, lower, n, exact].into_iter().enumerate() {
            self.rows[3 + row][part as usize] = value;
        }
        self.told[0] += 1;
    }
}
