//! How programs write a text: in digits, over lines, in columns.

pub(crate) fn hex(bytes: &[u8]) -> Vec<String> {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let lines = text.as_bytes().chunks(width).map(|it| String::from_utf8_lossy(it).into_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// As `xxd`, `hexdump -C` and `od -A d -t x1` lay it out.
pub(crate) fn dumps(text: &str) -> [String; 3] {
    let shown = |line: &[u8]| {
        let letter = |it: &u8| if it.is_ascii_graphic() { char::from(*it) } else { '.' };
        line.iter().map(letter).collect::<String>()
    };
    let lines = || text.as_bytes().chunks(16).enumerate();
    let xxd = lines().map(|(at, line)| {
        let pairs: Vec<String> = line.chunks(2).map(|it| hex(it).concat()).collect();
        format!("{:08x}: {:<39}  {}\n", at * 16, pairs.join(" "), shown(line))
    });
    let hexdump = lines().map(|(at, line)| {
        let halves: Vec<String> = line.chunks(8).map(|it| hex(it).join(" ")).collect();
        format!("{:08x}  {:<49} |{}|\n", at * 16, halves.join("  "), shown(line))
    });
    let od = lines().map(|(at, line)| format!("{:07} {}\n", at * 16, hex(line).join(" ")));
    [xxd.collect(), hexdump.collect(), od.collect()]
}
