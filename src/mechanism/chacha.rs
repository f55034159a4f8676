//! Single blocks of the ChaCha8 keystream: [`rand_chacha`] makes four, of thirty-two words, before it hands out the
//! first.

/// 64-bit words of a block.
pub(super) const WORDS: usize = 8;

/// A block of the keystream, the words that [`rand_chacha::ChaCha8Rng`] has there.
pub(super) fn block(key: &[u8; 32], stream: u64, number: u64) -> [u64; WORDS] {
    // "expand 32-byte k".
    const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
    let mut start = [0; 16];
    start[..4].copy_from_slice(&CONSTANTS);
    for (word, bytes) in start[4..12].iter_mut().zip(key.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    start[12..14].copy_from_slice(&[number as u32, (number >> 32) as u32]);
    start[14..].copy_from_slice(&[stream as u32, (stream >> 32) as u32]);
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
        }
    }
}
