//! The ChaCha8 keystream: the words that [`rand_chacha`] has, as many blocks side by side as a register of the
//! processor holds words, which is asked at run time. The library makes four blocks at once on every processor.

use pulp::{Arch, Simd, WithSimd};

/// 64-bit words of a block.
pub(super) const WORDS: usize = 8;

/// A block of the keystream.
pub(super) type Block = [u64; WORDS];

/// Lanes of the widest register that there may be.
pub(super) const WIDEST: usize = 16;

/// A word of the state of each of several blocks.
type Row = [u32; WIDEST];

/// One block.
pub(super) fn block(key: &[u8; 32], stream: u64, number: u64) -> Block {
    let start = start(key, stream, number);
    let mut state = start;
    for _ in 0..4 {
        for k in 0..4 {
            quarter(&mut state, [k, 4 + k, 8 + k, 12 + k]);
        }
        for k in 0..4 {
            let on = |row: usize| 4 * row + (k + row) % 4;
            quarter(&mut state, [k, on(1), on(2), on(3)]);
        }
    }
    for (word, start) in state.iter_mut().zip(start) {
        *word = word.wrapping_add(start);
    }
    let mut words = [0; WORDS];
    for (word, [low, high]) in words.iter_mut().zip(state.as_chunks().0) {
        *word = u64::from(*high) << 32 | u64::from(*low);
    }
    words
}

/// Consecutive blocks, from that of this number on.
pub(super) fn blocks(key: &[u8; 32], stream: u64, first: u64, out: &mut [Block]) {
    struct Blocks<'a>([u32; 16], u64, &'a mut [Block]);
    impl WithSimd for Blocks<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Self(start, mut number, out) = self;
            let lanes = size_of::<S::u32s>() / size_of::<u32>();
            let mut rows = [[0; WIDEST]; 16];
            for out in out.chunks_mut(lanes) {
                side_by_side(simd, consecutive(simd, &start, number), &mut rows);
                transpose(&rows, out);
                number = number.wrapping_add(lanes as u64);
            }
        }
    }
    Arch::new().dispatch(Blocks(start(key, stream, first), first, out));
}

/// The blocks of this number under at most [`WIDEST`] keys, one for each.
pub(super) fn beside(keys: &[[u8; 32]], stream: u64, number: u64, out: &mut [Block]) {
    struct Beside<'a>([Row; 16], &'a mut [Block]);
    impl WithSimd for Beside<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Self(starts, out) = self;
            let lanes = size_of::<S::u32s>() / size_of::<u32>();
            let mut rows = [[0; WIDEST]; 16];
            for (place, out) in out.chunks_mut(lanes).enumerate() {
                let mut first = [simd.splat_u32s(0); 16];
                for (row, start) in first.iter_mut().zip(&starts) {
                    *row = S::as_simd_u32s(start).0[place];
                }
                side_by_side(simd, first, &mut rows);
                transpose(&rows, out);
            }
        }
    }
    let mut starts = [[0; WIDEST]; 16];
    for (lane, key) in keys.iter().enumerate() {
        for (row, word) in starts.iter_mut().zip(start(key, stream, number)) {
            row[lane] = word;
        }
    }
    Arch::new().dispatch(Beside(starts, out));
}

/// The state of a block before the rounds.
#[inline(always)]
fn start(key: &[u8; 32], stream: u64, number: u64) -> [u32; 16] {
    // "expand 32-byte k".
    const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
    let mut start = [0; 16];
    start[..4].copy_from_slice(&CONSTANTS);
    for (word, bytes) in start[4..12].iter_mut().zip(key.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    start[12..14].copy_from_slice(&[number as u32, (number >> 32) as u32]);
    start[14..].copy_from_slice(&[stream as u32, (stream >> 32) as u32]);
    start
}

/// The quarter round of RFC 8439, section 2.1.
#[inline(always)]
fn quarter(state: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (left, right) in [(16, 12), (8, 7)] {
        state[a] = state[a].wrapping_add(state[b]);
        state[d] = (state[d] ^ state[a]).rotate_left(left);
        state[c] = state[c].wrapping_add(state[d]);
        state[b] = (state[b] ^ state[c]).rotate_left(right);
    }
}

/// The states before the rounds of as many blocks as a register has lanes, from that of this number on.
#[inline(always)]
fn consecutive<S: Simd>(simd: S, start: &[u32; 16], number: u64) -> [S::u32s; 16] {
    let (mut low, mut high) = ([0; WIDEST], [0; WIDEST]);
    for lane in 0..WIDEST {
        let number = number.wrapping_add(lane as u64);
        low[lane] = number as u32;
        high[lane] = (number >> 32) as u32;
    }
    let mut first = [simd.splat_u32s(0); 16];
    for (row, word) in first.iter_mut().zip(start) {
        *row = simd.splat_u32s(*word);
    }
    first[12] = S::as_simd_u32s(&low).0[0];
    first[13] = S::as_simd_u32s(&high).0[0];
    first
}

/// As many blocks as a register has lanes, from their states before the rounds.
#[inline(always)]
fn side_by_side<S: Simd>(simd: S, first: [S::u32s; 16], rows: &mut [Row; 16]) {
    let mut state = first;
    let [
        a0,
        a1,
        a2,
        a3,
        b0,
        b1,
        b2,
        b3,
        c0,
        c1,
        c2,
        c3,
        d0,
        d1,
        d2,
        d3,
    ] = &mut state;
    for _ in 0..4 {
        quarters(simd, a0, b0, c0, d0);
        quarters(simd, a1, b1, c1, d1);
        quarters(simd, a2, b2, c2, d2);
        quarters(simd, a3, b3, c3, d3);
        quarters(simd, a0, b1, c2, d3);
        quarters(simd, a1, b2, c3, d0);
        quarters(simd, a2, b3, c0, d1);
        quarters(simd, a3, b0, c1, d2);
    }
    for k in 0..16 {
        S::as_mut_simd_u32s(&mut rows[k]).0[0] = simd.add_u32s(state[k], first[k]);
    }
}

/// The quarter round on rows.
#[inline(always)]
fn quarters<S: Simd>(simd: S, a: &mut S::u32s, b: &mut S::u32s, c: &mut S::u32s, d: &mut S::u32s) {
    mix(simd, a, b, d, 16);
    mix(simd, c, d, b, 12);
    mix(simd, a, b, d, 8);
    mix(simd, c, d, b, 7);
}

/// A function and no closure: one that stays out of line has no wide registers, and each operation on them is a call.
#[inline(always)]
fn mix<S: Simd>(simd: S, x: &mut S::u32s, y: &S::u32s, z: &mut S::u32s, left: u32) {
    *x = simd.add_u32s(*x, *y);
    // The library's own rotations are of lanes.
    let word = simd.xor_u32s(*z, *x);
    let high = simd.wrapping_dyn_shl_u32s(word, simd.splat_u32s(left));
    let low = simd.wrapping_dyn_shr_u32s(word, simd.splat_u32s(32 - left));
    *z = simd.or_u32s(high, low);
}

/// Not inlined: compiled for wide registers it would gather, which takes longer than the rounds.
#[inline(never)]
fn transpose(rows: &[Row; 16], out: &mut [Block]) {
    for (lane, block) in out.iter_mut().take(WIDEST).enumerate() {
        for (k, word) in block.iter_mut().enumerate() {
            let [low, high] = [rows[2 * k][lane], rows[2 * k + 1][lane]];
            *word = u64::from(high) << 32 | u64::from(low);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn every_block_is_that_of_the_library() {
        let mut any = ChaCha8Rng::seed_from_u64(1);
        let corners = [0, 1, u64::MAX >> 3];
        for case in 0..1000 {
            let (mut key, stream) = ([0; 32], any.next_u64());
            any.fill_bytes(&mut key);
            let number = corners.get(case).copied().unwrap_or(any.next_u64() >> 3);
            let mut library = ChaCha8Rng::from_seed(key);
            library.set_stream(stream);
            library.set_word_pos(u128::from(number) * 16);
            let words = std::array::from_fn(|_| library.next_u64());
            assert_eq!(
                block(&key, stream, number),
                words,
                "block {number} of stream {stream}"
            );
            let mut many = vec![[0; WORDS]; case % 40];
            blocks(&key, stream, number, &mut many);
            for (ahead, words) in (0..).zip(many) {
                assert_eq!(words, block(&key, stream, number.wrapping_add(ahead)));
            }
        }
    }

    #[test]
    fn blocks_under_many_keys_are_those_under_each() {
        let mut any = ChaCha8Rng::seed_from_u64(2);
        for count in (0..=WIDEST).chain([WIDEST; 100]) {
            let mut keys = vec![[0; 32]; count];
            keys.iter_mut().for_each(|key| any.fill_bytes(key));
            let (stream, number) = (any.next_u64(), any.next_u64());
            let mut found = vec![[0; WORDS]; count];
            beside(&keys, stream, number, &mut found);
            for (key, words) in keys.iter().zip(found) {
                assert_eq!(words, block(key, stream, number));
            }
        }
    }
}
