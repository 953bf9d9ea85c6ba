//! [`size`]: how large something is, for people.

/// How large something is: `1.5 GiB`, `64 MiB`, `12 bytes`.
pub fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.into_iter().find(|(shift, _)| bytes >= 1 << shift) {
        Some((shift, unit)) => {
            let amount = format!("{:.1}", bytes as f64 / f64::from(1_u32 << shift));
            format!("{} {unit}", amount.strip_suffix(".0").unwrap_or(&amount))
        }
        None if bytes == 1 => "1 byte".to_owned(),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_read_well() {
        let told = [4 << 30, 1536 << 20, 64 << 20, 8 << 10, 12, 1].map(size);
        assert_eq!(told, ["4 GiB", "1.5 GiB", "64 MiB", "8 KiB", "12 bytes", "1 byte"]);
    }
}
