//! Quadratic forms: sign for all real arguments, decided by exact elimination.

use super::expr::{Expr, Node};
use super::identity::identical;
use crate::arith::Rational;

/// A point at which the form (homogeneous of degree 2 in the first `n` symbols) is negative, `None`
/// if it is ≥ 0 everywhere.
///
/// # Errors
/// If the expression is not a quadratic form with rational coefficients.
pub fn negative_direction(form: &Expr, n: usize) -> Result<Option<Vec<Rational>>, String> {
    let matrix = matrix(form, n)?;
    Ok(descend(matrix))
}

/// The symmetric matrix, by polarisation; that it reproduces the form is checked as an identity.
fn matrix(form: &Expr, n: usize) -> Result<Vec<Vec<Rational>>, String> {
    let at = |i: usize, j: usize| {
        let point: Vec<_> = (0..n)
            .map(|k| Rational::from(u8::from(k == i || k == j)))
            .collect();
        form.exact(&point)
            .ok_or_else(|| "the form has no exact value".to_owned())
    };
    let entry = |i: usize, j: usize| -> Result<Rational, String> {
        if i == j {
            return at(i, i);
        }
        Ok((at(i, j)? - at(i, i)? - at(j, j)?) / 2)
    };
    let row = |i| (0..n).map(|j| entry(i, j)).collect::<Result<Vec<_>, _>>();
    let matrix = (0..n).map(row).collect::<Result<Vec<_>, _>>()?;
    let x = |i| Expr::from(Node::Var(i));
    let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let rebuilt: Expr = pairs.map(|(i, j)| x(i) * x(j) * &matrix[i][j]).sum();
    if identical(form, &rebuilt) {
        Ok(matrix)
    } else {
        Err(format!("not a quadratic form in {n} symbols"))
    }
}

/// Symmetric elimination. A negative pivot, or a zero pivot with something beside it, gives a
/// direction of negative value, which is carried back through the elimination steps.
fn descend(mut a: Vec<Vec<Rational>>) -> Option<Vec<Rational>> {
    let n = a.len();
    // Row i of `basis` is the vector whose form values a[i][j] currently are.
    let mut basis: Vec<Vec<Rational>> = (0..n)
        .map(|i| (0..n).map(|k| Rational::from(u8::from(k == i))).collect())
        .collect();
    for i in 0..n {
        if a[i][i] < 0 {
            return Some(basis[i].clone());
        }
        if a[i][i].is_zero() {
            let Some(j) = (i + 1..n).find(|&j| !a[i][j].is_zero()) else {
                continue;
            };
            // q(e_j + s e_i) = a_jj + 2 s a_ij, negative for a suitable s.
            let big: Rational = a[j][j].clone().abs() + 1;
            let s = -(big / &a[i][j]);
            let mixed = basis[j].iter().zip(&basis[i]);
            return Some(mixed.map(|(x, y)| x + Rational::from(&s * y)).collect());
        }
        for j in i + 1..n {
            let factor = Rational::from(&a[j][i] / &a[i][i]);
            for k in 0..n {
                let (step, shift) = (
                    Rational::from(&factor * &a[i][k]),
                    Rational::from(&factor * &basis[i][k]),
                );
                a[j][k] -= step;
                basis[j][k] -= shift;
            }
            for row in &mut a {
                let step = Rational::from(&factor * &row[i]);
                row[j] -= step;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::symbols;

    #[test]
    fn definite_and_indefinite_forms_are_told_apart() -> Result<(), String> {
        let [x, y, z] = symbols();
        let square = (&x - 2 * &y + &z).square();
        assert_eq!(negative_direction(&square, 3)?, None);
        for form in [
            square.clone() - y.square() / 1000,
            &x * &y,
            &x * &x - &y * &z,
            0 - z.square(),
        ] {
            let at = negative_direction(&form, 3)?.ok_or("indefinite")?;
            assert!(form.exact(&at).is_some_and(|value| value < 0), "{form}");
        }
        assert!(negative_direction(&(x + 1), 3).is_err());
        Ok(())
    }

    /// All symmetric 3 × 3 forms with small entries: the signs of all principal minors decide, too.
    #[test]
    fn elimination_agrees_with_principal_minors() -> Result<(), String> {
        let x: [Expr; 3] = symbols();
        let mut found = [0, 0];
        for code in 0..3_i32.pow(6) {
            let digit = |k: u32| code / 3_i32.pow(k) % 3 - 1;
            // Diagonal entries 0, 1, 2; others −1, 0, 1.
            let diagonal = [digit(0) + 1, digit(1) + 1, digit(2) + 1];
            let [a, b, c] = [digit(3), digit(4), digit(5)];
            let squares: Expr = (x.iter().zip(diagonal)).map(|(x, d)| d * x.square()).sum();
            let mixed = &x[0] * &x[1] * a + &x[0] * &x[2] * b + &x[1] * &x[2] * c;
            let form = squares + 2 * mixed;
            let [p, q, r] = diagonal;
            let minors = [p * q - a * a, p * r - b * b, q * r - c * c];
            let whole = p * (q * r - c * c) - a * (a * r - b * c) + b * (a * c - q * b);
            let semidefinite = minors.into_iter().chain([whole]).all(|minor| minor >= 0);
            let direction = negative_direction(&form, 3)?;
            assert_eq!(direction.is_none(), semidefinite, "{form}");
            if let Some(at) = direction {
                assert!(
                    form.exact(&at).is_some_and(|value| value < 0),
                    "{form} at {at:?}"
                );
            }
            found[usize::from(semidefinite)] += 1;
        }
        assert!(found.iter().all(|n| *n > 100), "{found:?}");
        Ok(())
    }

    #[test]
    fn what_is_no_quadratic_form_is_refused() {
        let [x, y]: [Expr; 2] = symbols();
        for form in [
            x.clone(),
            x.square() + 1,
            x.powi(3),
            x.powi(4) + y.square(),
            x.abs() * &x,
            (&x * &y).abs(),
            x.square().max(y.square()),
            x.square() / &y,
            x.exp() * y.square(),
            x.square() + Expr::from(Node::Var(2)).square(),
        ] {
            assert!(negative_direction(&form, 2).is_err(), "{form}");
        }
    }
}
