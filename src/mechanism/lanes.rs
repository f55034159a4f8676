//! Many variates at once: the same operations on doubles as [`Uniform::gaussian`] and
//! [`Uniform::laplace`], in the same order, so the same bits; without branches, so that a processor
//! takes four or eight words at a time. Which instructions it has is asked at run time.
//!
//! The scalar functions are the definition; words in their last branch (|x| > 6.6, three in 10¹¹) go
//! back to them. Multiplications and additions are never fused.

use super::gaussian::{CENTRE, Rational, SHOULDER};
use super::uniform::{UNIT, Uniform};
use pulp::{Arch, NullaryFnOnce};

/// Words of one call, so that nothing leaves the nearest cache.
pub(super) const BLOCK: usize = 256;

/// Words that go through one evaluation side by side: several registers, so that none waits for another.
const LANES: usize = 32;

/// The same where there are few words, so that few places of the last group are empty.
const FEWER: usize = 16;

const SIGN: u64 = 1 << 63;

/// [`Uniform::gaussian`] of at most [`BLOCK`] words.
pub(super) fn gaussians(words: &[u64], out: &mut [f64]) {
    struct Gaussians<'a>(&'a [u64], &'a mut [f64]);
    impl NullaryFnOnce for Gaussians<'_> {
        type Output = ();
        #[inline(always)]
        fn call(self) {
            let (words, last) = self.0.as_chunks::<LANES>();
            let (out, rest) = self.1.as_chunks_mut::<LANES>();
            gaussian_groups::<BLOCK>(words, out);
            if last.len() < FEWER / 2 {
                for (k, out) in last.iter().zip(rest) {
                    *out = Uniform(*k).gaussian();
                }
                return;
            }
            // A row of a model is often shorter than a group: empty places cost less than words one by one.
            let (mut padded, mut values) = ([[SIGN; LANES]], [[0.0; LANES]]);
            padded[0][..last.len()].copy_from_slice(last);
            gaussian_groups::<LANES>(&padded, &mut values);
            rest.copy_from_slice(&values[0][..last.len()]);
        }
    }
    Arch::new().dispatch(Gaussians(words, out));
}

/// [`Uniform::laplace`] of every word.
pub(super) fn laplaces(words: &[u64], out: &mut [f64]) {
    struct Laplaces<'a>(&'a [u64], &'a mut [f64]);
    impl NullaryFnOnce for Laplaces<'_> {
        type Output = ();
        #[inline(always)]
        fn call(self) {
            for (k, out) in self.0.iter().zip(self.1) {
                *out = laplace(*k);
            }
        }
    }
    Arch::new().dispatch(Laplaces(words, out));
}

/// [`Uniform::fraction`] of every word.
pub(super) fn fractions(words: &[u64], out: &mut [f64]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (k, out) in words.iter().zip(out) {
                *out = (double(*k) + 0.5) * UNIT;
            }
        },
    );
}

/// Where Wichura's central branch ends: the greatest m with m · 2⁻⁶⁵, rounded, at most 0.425.
const CENTRAL: u64 = 15_679_732_462_653_119_487;

/// Above 2⁶⁵ e⁻²⁵ by a thousandth: nearer to an end than this the third branch may be due.
const FAR: u64 = 512_900_000;

/// All words, at most N, as if central, then those that are not once more.
#[inline(always)]
fn gaussian_groups<const N: usize>(groups: &[[u64; LANES]], out: &mut [[f64; LANES]]) {
    for (words, out) in groups.iter().zip(&mut *out) {
        central(words, out);
    }
    let (words, out) = (groups.as_flattened(), out.as_flattened_mut());
    let (mut places, mut ends) = ([0u8; N], [0; N]);
    let mut count = 0;
    for (group, words) in groups.iter().enumerate() {
        let mut beyond = 0;
        for (l, k) in words.iter().enumerate() {
            beyond |= u32::from(twice_from_median(*k) > CENTRAL) << l;
        }
        while beyond > 0 {
            let l = beyond.trailing_zeros() as usize;
            beyond &= beyond - 1;
            places[count] = (group * LANES + l) as u8;
            ends[count] = twice_from_median(words[l]).wrapping_neg();
            count += 1;
        }
    }
    let filled = count.next_multiple_of(FEWER);
    ends[count..filled].fill(1 << 60);
    let mut values = [0.0; N];
    let shoulders = ends[..filled].as_chunks::<FEWER>().0;
    for (ends, values) in shoulders.iter().zip(values.as_chunks_mut::<FEWER>().0) {
        shoulder(ends, values);
    }
    for ((place, end), value) in places[..count].iter().zip(ends).zip(values) {
        let k = words[usize::from(*place)];
        out[usize::from(*place)] = if end < FAR {
            Uniform(k).gaussian()
        } else {
            with_sign_of(k, value)
        };
    }
}

/// 2⁶⁶ |u − ½| = 2j + 1, where j counts words from the median; its negative is 2⁶⁵ times the distance
/// to the nearer end.
#[inline(always)]
fn twice_from_median(k: u64) -> u64 {
    // All ones above the median, so that !k is taken below it; the doubling drops the highest bit.
    let above = (k.cast_signed() >> 63).cast_unsigned();
    (k ^ !above) << 1 | 1
}

/// A value of the half above the median, for the half in which k is.
#[inline(always)]
fn with_sign_of(k: u64, value: f64) -> f64 {
    f64::from_bits(value.to_bits() | (!k & SIGN))
}

#[inline(always)]
fn central(words: &[u64; LANES], out: &mut [f64; LANES]) {
    let (mut from_median, mut r) = ([0.0; LANES], [0.0; LANES]);
    for l in 0..LANES {
        from_median[l] = double(twice_from_median(words[l])) * (0.5 * UNIT);
        r[l] = 0.180_625 - from_median[l] * from_median[l];
    }
    let ratios = ratio(&CENTRE, &r);
    for l in 0..LANES {
        out[l] = with_sign_of(words[l], from_median[l] * ratios[l]);
    }
}

#[inline(always)]
fn shoulder<const L: usize>(ends: &[u64; L], out: &mut [f64; L]) {
    let mut r = [0.0; L];
    for l in 0..L {
        let (k, f) = reduced((double(ends[l]) * (0.5 * UNIT)).to_bits());
        r[l] = (-log(k, f, 0.0)).sqrt() - 1.6;
    }
    *out = ratio(&SHOULDER, &r);
}

#[inline(always)]
fn ratio<const L: usize>([numerator, denominator]: &Rational, r: &[f64; L]) -> [f64; L] {
    let (mut above, mut below) = ([numerator[7]; L], [denominator[7]; L]);
    for power in (0..7).rev() {
        for l in 0..L {
            above[l] = above[l] * r[l] + numerator[power];
        }
        for l in 0..L {
            below[l] = below[l] * r[l] + denominator[power];
        }
    }
    for l in 0..L {
        above[l] /= below[l];
    }
    above
}

/// ln(2u) below the median, −ln(2 − 2u) above it: both logarithms are one polynomial.
#[inline(always)]
fn laplace(k: u64) -> f64 {
    let below = (k.cast_signed() >> 63).cast_unsigned();
    // 2u or 2 − 2u over 2⁶⁴; beyond ½ its distance to 1 is what is known exactly.
    let m = (k ^ below) << 1 | 1;
    let near = (m.cast_signed() >> 63).cast_unsigned();
    let distance = double((m ^ near).wrapping_sub(near)) * UNIT;
    let x = f64::from_bits(distance.to_bits() | (near & SIGN));
    let u = if near == 0 { x } else { 1.0 + x };
    let (k2, f) = reduced(u.to_bits());
    // As in log1p: what 1 + x lost, and nothing to reduce where √½ ≤ 1 + x.
    let lost = if near == 0 { 0.0 } else { (x - (u - 1.0)) / u };
    let whole = near != 0 && x.to_bits() < 0xbfd2_bec5_0000_0000;
    let value = if whole {
        log(0.0, x, 0.0)
    } else {
        log(k2, f, lost)
    };
    f64::from_bits(value.to_bits() & !SIGN | (!k & SIGN))
}

/// The double nearest to a whole number: both halves are exact, and their sum is rounded once.
#[inline(always)]
fn double(whole: u64) -> f64 {
    // 2⁸⁴ + 2³² h and 2⁵² + l, written into the bits.
    let high = f64::from_bits(whole >> 32 | 0x4530_0000_0000_0000);
    let low = f64::from_bits(whole & 0xffff_ffff | 0x4330_0000_0000_0000);
    (high - f64::from_bits(0x4530_0000_0010_0000)) + low
}

/// (k, f) with x = 2ᵏ (1 + f) and √½ ≤ 1 + f < √2, for a normal double's bits: the reduction of libm's `log`.
#[inline(always)]
fn reduced(bits: u64) -> (f64, f64) {
    const ROOT_HALF: u64 = 0x3fe6_a09e << 32;
    const ONE: u64 = 0x3ff0_0000 << 32;
    const WHOLE: f64 = 4_503_599_627_370_496.0;
    let moved = bits.wrapping_add(ONE - ROOT_HALF);
    let k = f64::from_bits(moved >> 52 | WHOLE.to_bits()) - (WHOLE + 1023.0);
    let mantissa = (moved & 0x000f_ffff_ffff_ffff).wrapping_add(ROOT_HALF);
    (k, f64::from_bits(mantissa) - 1.0)
}

/// k ln 2 + ln(1 + f) + lost, by the operations of libm's `log` and `log1p`.
#[inline(always)]
fn log(k: f64, f: f64, lost: f64) -> f64 {
    const LN2: [f64; 2] = [
        f64::from_bits(0x3fe6_2e42_fee0_0000),
        f64::from_bits(0x3dea_39ef_3579_3c76),
    ];
    /// Of 2 artanh(s)/s − 2 in powers of s².
    const LG: [f64; 7] = [
        f64::from_bits(0x3fe5_5555_5555_5593),
        f64::from_bits(0x3fd9_9999_9997_fa04),
        f64::from_bits(0x3fd2_4924_9422_9359),
        f64::from_bits(0x3fcc_71c5_1d8e_78af),
        f64::from_bits(0x3fc7_4664_96cb_03de),
        f64::from_bits(0x3fc3_9a09_d078_c69f),
        f64::from_bits(0x3fc2_f112_df3e_5244),
    ];
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let odd = w * (LG[1] + w * (LG[3] + w * LG[5]));
    let even = z * (LG[0] + w * (LG[2] + w * (LG[4] + w * LG[6])));
    s * (half_square + (even + odd)) + (k * LN2[1] + lost) - half_square + f + k * LN2[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};

    /// Blocks whose words lie at every distance from the median and from both ends, at the borders of the
    /// branches and a step beside them, and anywhere.
    fn blocks() -> Vec<Vec<u64>> {
        let mut words: Vec<u64> = (0..64)
            .flat_map(|z| [u64::MAX >> z, (u64::MAX >> z) / 3, (u64::MAX >> z) / 5])
            .collect();
        words.extend(0..2048);
        words.extend((0..2048).map(|d| SIGN - 1 - d));
        for border in [
            CENTRAL / 2,
            (u64::MAX - FAR) / 2,
            SIGN / 2,
            SIGN - SIGN / 4,
            0x3fe6_a09e_667f_3bcd,
        ] {
            words.extend((border - 64..border + 64).map(|j| SIGN - 1 - j % SIGN));
        }
        // √½ in 2u, and the end of the second branch in the distance to the end.
        words.extend(
            (0..4096)
                .map(|d| (0.353_553_390_593_273_8 * 2f64.powi(64)) as u64 + (d << 8) - (1 << 19)),
        );
        words.extend((0..4096).map(|d| FAR / 2 - 2048 + d));
        let mut any = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        words.extend((0..200_000).map(|_| any.next_u64()));
        words.extend((0..20_000).map(|_| any.next_u64() >> (any.next_u32() % 64)));
        let opposite: Vec<u64> = words.iter().map(|k| !k).collect();
        words.extend(opposite);
        // Of lengths that are and that are not multiples of the groups.
        let (even, odd) = words.split_at(words.len() / 2);
        even.chunks(BLOCK)
            .chain(odd.chunks(BLOCK - 5))
            .map(<[u64]>::to_vec)
            .collect()
    }

    #[test]
    fn every_lane_has_the_bits_of_the_scalar_definition() {
        for words in blocks() {
            let mut out = vec![0.0; words.len()];
            gaussians(&words, &mut out);
            for (k, x) in words.iter().zip(&out) {
                assert_eq!(
                    x.to_bits(),
                    Uniform(*k).gaussian().to_bits(),
                    "gaussian of word {k:#x}"
                );
            }
            laplaces(&words, &mut out);
            for (k, x) in words.iter().zip(&out) {
                assert_eq!(
                    x.to_bits(),
                    Uniform(*k).laplace().to_bits(),
                    "laplace of word {k:#x}"
                );
            }
            fractions(&words, &mut out);
            for (k, x) in words.iter().zip(&out) {
                assert_eq!(x.to_bits(), Uniform(*k).fraction().to_bits(), "{k:#x}");
            }
        }
    }

    #[test]
    fn the_borders_of_the_branches_are_those_of_the_definition() {
        assert!((CENTRAL as f64) * (0.5 * UNIT) <= 0.425);
        assert!((CENTRAL as f64).next_up() * (0.5 * UNIT) > 0.425);
        let radius = |end: u64| (-libm::log(end as f64 * (0.5 * UNIT))).sqrt();
        assert!(radius(FAR) < 5.0 && radius(FAR - FAR / 900) > 5.0);
    }
}
