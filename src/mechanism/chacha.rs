//! Single blocks of the ChaCha8 keystream: [`rand_chacha`] makes four, of thirty-two words, before it hands out the
//! first.

/// 64-bit words of a block.
pub(super) const WORDS: usize = 8;

/// A block of the keystream, the words that [`rand_chacha::ChaCha8Rng`] has there.
pub(super) fn block(key: &[u8; 32], stream: u64, number: u64) -> [u64; WORDS] {
    const EXPAND: [u8; 16] = *b"expand 32-byte k";
    let mut start = [0; 16];
    let bytes = [
        &EXPAND[..],
        key,
        &number.to_le_bytes(),
        &stream.to_le_bytes(),
    ];
    let words = bytes.into_iter().flat_map(|bytes| bytes.as_chunks().0);
    for (state, bytes) in start.iter_mut().zip(words) {
        *state = u32::from_le_bytes(*bytes);
    }
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
    std::array::from_fn(|word| {
        let [low, high] = [2 * word, 2 * word + 1].map(|k| state[k].wrapping_add(start[k]));
        u64::from(high) << 32 | u64::from(low)
    })
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
