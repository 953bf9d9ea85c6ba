//! [`Answer`]: the vectors in what an endpoint said.

use serde::Deserialize;

use crate::vector;

/// What an endpoint says.
#[derive(Deserialize)]
pub(super) struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    /// Not all endpoints number their vectors.
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl Answer {
    /// One vector of length 1 for each of so many texts, in their order; or what is wrong with the
    /// answer.
    pub(super) fn vectors(self, texts: usize) -> Result<Vec<Vec<f32>>, String> {
        let count = self.data.len();
        if count != texts {
            return Err(format!("has {count} vectors for {texts} texts"));
        }
        let mut vectors = vec![None; texts];
        for (place, item) in self.data.into_iter().enumerate() {
            let index = item.index.unwrap_or(place);
            let slot = vectors.get_mut(index).filter(|it| it.is_none());
            let slot = slot.ok_or_else(|| format!("numbers a vector {index}, which is wrong"))?;
            *slot = Some(vector::unit(item.embedding).ok_or("has a vector without direction")?);
        }
        Ok(vectors.into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    fn read(body: &str, texts: usize) -> Result<Vec<Vec<f32>>, String> {
        serde_json::from_str::<Answer>(body).unwrap().vectors(texts)
    }

    #[test]
    fn vectors_are_put_into_the_order_of_the_texts() {
        let body = r#"{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,0]}]}"#;
        assert_eq!(read(body, 2), Ok(vec![vec![1.0, 0.0], vec![0.0, 1.0]]));
        let body = r#"{"data":[{"embedding":[1,0]},{"embedding":[0,1]}],"model":"m"}"#;
        assert_eq!(read(body, 2), Ok(vec![vec![1.0, 0.0], vec![0.0, 1.0]]));
    }

    #[test]
    fn answers_that_cannot_be_right_are_not_taken() {
        let twice = r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#;
        let beyond = r#"{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}"#;
        let zero = r#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[0]}]}"#;
        for body in [twice, beyond, zero, r#"{"data":[]}"#] {
            assert!(read(body, 2).is_err(), "{body}");
        }
    }
}
