//! Small square matrices over an exact ring: rationals, or polynomials for symbolic entries.

use crate::arith::Poly;
use crate::decor::upoly::UPoly;
use rug::{Integer, Rational};

/// An exact commutative ring.
pub trait Ring: Clone + PartialEq {
    /// The integer k as an element.
    fn integer(k: i32) -> Self;
    /// Sum.
    fn plus(&self, other: &Self) -> Self;
    /// Product.
    fn times(&self, other: &Self) -> Self;
}

/// Numbers whose operations on references wait to be stored.
macro_rules! ring_of {
    ($($number:ty),*) => { $(
        impl Ring for $number {
            fn integer(k: i32) -> Self {
                Self::from(k)
            }
            fn plus(&self, other: &Self) -> Self {
                Self::from(self + other)
            }
            fn times(&self, other: &Self) -> Self {
                Self::from(self * other)
            }
        }
    )* };
}

ring_of!(i64, Integer, Rational);

impl Ring for Poly {
    fn integer(k: i32) -> Self {
        Self::from(k)
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
}

/// A square matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<T> {
    rows: Vec<Vec<T>>,
}

impl<T: Ring> Matrix<T> {
    /// The n × n matrix with the entries `entry(i, j)`.
    pub fn new(n: usize, entry: impl Fn(usize, usize) -> T) -> Self {
        let row = |i| (0..n).map(|j| entry(i, j)).collect();
        Self {
            rows: (0..n).map(row).collect(),
        }
    }

    /// The identity with n rows.
    #[must_use]
    pub fn identity(n: usize) -> Self {
        Self::new(n, |i, j| T::integer(i32::from(i == j)))
    }

    /// Number of rows.
    #[must_use]
    pub fn n(&self) -> usize {
        self.rows.len()
    }

    /// The entry in row i and column j.
    #[must_use]
    pub fn at(&self, i: usize, j: usize) -> &T {
        &self.rows[i][j]
    }

    /// Row i.
    #[must_use]
    pub fn row(&self, i: usize) -> &[T] {
        &self.rows[i]
    }

    /// The transpose.
    #[must_use]
    pub fn transpose(&self) -> Self {
        Self::new(self.n(), |i, j| self.at(j, i).clone())
    }

    /// Sum of two matrices of one size.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::new(self.n(), |i, j| self.at(i, j).plus(other.at(i, j)))
    }

    /// This matrix times a number.
    #[must_use]
    pub fn scaled(&self, factor: &T) -> Self {
        Self::new(self.n(), |i, j| self.at(i, j).times(factor))
    }

    /// Product of two matrices of one size.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self::new(self.n(), |i, j| {
            sum((0..self.n()).map(|k| self.at(i, k).times(other.at(k, j))))
        })
    }

    /// This matrix times a column.
    #[must_use]
    pub fn apply(&self, x: &[T]) -> Vec<T> {
        self.rows.iter().map(|row| dot(row, x)).collect()
    }

    /// The sum of the diagonal.
    #[must_use]
    pub fn trace(&self) -> T {
        sum((0..self.n()).map(|i| self.at(i, i).clone()))
    }

    /// The sum of the squares of all entries, ‖·‖²_F.
    #[must_use]
    pub fn frobenius_squared(&self) -> T {
        sum(self.rows.iter().map(|row| dot(row, row)))
    }

    /// Whether the matrix equals its transpose.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        (0..self.n()).all(|i| (0..i).all(|j| self.at(i, j) == self.at(j, i)))
    }
}

impl Matrix<Rational> {
    /// 11ᵀ/n.
    #[must_use]
    pub fn averaging(n: usize) -> Self {
        Self::new(n, |_, _| Rational::from((1, n.max(1))))
    }

    /// det(xI − M), by the Faddeev–LeVerrier recursion.
    #[must_use]
    pub fn characteristic(&self) -> UPoly {
        let n = self.n();
        let mut adjugate = Self::identity(n);
        let mut descending = vec![Rational::from(1)];
        for k in 1..=n {
            let product = self.times(&adjugate);
            let c = -(product.trace() / k as u32);
            adjugate = product.plus(&Self::identity(n).scaled(&c));
            descending.push(c);
        }
        descending.reverse();
        UPoly::new(descending)
    }

    /// The inverse, by Gauss–Jordan elimination in exact arithmetic; `None` if there is none.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let n = self.n();
        let (mut left, mut right) = (self.clone(), Self::identity(n));
        for column in 0..n {
            let pivot = (column..n).find(|&i| left.rows[i][column] != 0)?;
            left.rows.swap(column, pivot);
            right.rows.swap(column, pivot);
            let scale = Rational::from(left.rows[column][column].recip_ref());
            for m in [&mut left, &mut right] {
                m.rows[column].iter_mut().for_each(|x| *x *= &scale);
            }
            for i in (0..n).filter(|&i| i != column) {
                let factor = left.rows[i][column].clone();
                for m in [&mut left, &mut right] {
                    let pivot_row = m.rows[column].clone();
                    for (x, y) in m.rows[i].iter_mut().zip(&pivot_row) {
                        *x -= Rational::from(&factor * y);
                    }
                }
            }
        }
        Some(right)
    }
}

/// The sum of the terms.
pub fn sum<T: Ring>(terms: impl IntoIterator<Item = T>) -> T {
    let zero = T::integer(0);
    terms.into_iter().fold(zero, |acc, x| acc.plus(&x))
}

/// The inner product.
pub fn dot<T: Ring>(x: &[T], y: &[T]) -> T {
    sum(x.iter().zip(y).map(|(a, b)| a.times(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_times_the_matrix_is_the_identity() {
        let m = Matrix::new(3, |i, j| Rational::from((1, i + j + 1)));
        assert_eq!(m.inverse().map(|x| x.times(&m)), Some(Matrix::identity(3)));
        assert_eq!(Matrix::averaging(3).inverse(), None);
    }

    #[test]
    fn the_characteristic_polynomial_vanishes_at_the_eigenvalues() {
        let swap = Matrix::new(2, |i, j| Rational::from(i32::from(i != j)));
        let expected = [-1, 0, 1].map(Rational::from).to_vec();
        assert_eq!(swap.characteristic(), UPoly::new(expected));
    }
}
