//! Lengths as the API writes them: `PT1H2M3S`.

/// Seconds in a length; none where it is nothing (`P0D`: a live stream has none) or no length.
pub(super) fn seconds(length: &str) -> Option<u32> {
    let (days, times) = match length.strip_prefix('P')?.split_once('T') {
        Some((days, times)) => (days, times),
        None => (length.strip_prefix('P')?, ""),
    };
    let [weeks, days] = parts(days, ['W', 'D'])?;
    let [hours, minutes, seconds] = parts(times, ['H', 'M', 'S'])?;
    let hours = weeks.checked_mul(7)?.checked_add(days)?.checked_mul(24)?.checked_add(hours)?;
    let minutes = hours.checked_mul(60)?.checked_add(minutes)?;
    let seconds = minutes.checked_mul(60)?.checked_add(seconds)?;
    u32::try_from(seconds).ok().filter(|it| *it > 0)
}

/// Numbers before these letters, in this order; each may be missing.
fn parts<const N: usize>(mut text: &str, letters: [char; N]) -> Option<[u64; N]> {
    let mut numbers = [0; N];
    for (number, letter) in numbers.iter_mut().zip(letters) {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (found, rest) = text.split_at_checked(digits)?;
        if let Some(rest) = rest.strip_prefix(letter) {
            *number = found.parse().ok()?;
            text = rest;
        }
    }
    text.is_empty().then_some(numbers)
}

#[cfg(test)]
#[path = "length_test.rs"]
mod tests;
