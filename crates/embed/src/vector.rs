//! What vectors have in common, whoever makes them.

/// The vector with length 1; none when it has no direction.
pub(crate) fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let square: f64 = vector.iter().map(|it| f64::from(*it).powi(2)).sum();
    let length = square.sqrt();
    if !length.is_finite() || length <= 0.0 {
        return None;
    }
    for number in &mut vector {
        *number = (f64::from(*number) / length) as f32;
    }
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::unit;

    #[test]
    fn a_vector_has_length_one_or_is_none() {
        assert_eq!(unit(vec![3.0, 4.0]), Some(vec![0.6, 0.8]));
        let huge = 2_f32.powi(100);
        assert_eq!(unit(vec![3.0 * huge, 4.0 * huge]), Some(vec![0.6, 0.8]));
        for other in [vec![], vec![0.0, 0.0], vec![f32::NAN], vec![f32::INFINITY, 1.0]] {
            assert_eq!(unit(other), None);
        }
    }
}
