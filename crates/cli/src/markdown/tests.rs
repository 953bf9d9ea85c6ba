//! However an answer is cut into pieces it is shown the same, and no line is wider than the terminal.

use super::Markdown;
use crate::style::shown_plainly;

const WIDTH: usize = 40;

fn whole(source: &str) -> String {
    in_pieces(source, source.len().max(1))
}

/// As it is shown where it comes in pieces of so many letters.
fn in_pieces(source: &str, size: usize) -> String {
    let mut markdown = Markdown::new(WIDTH);
    let letters: Vec<char> = source.chars().collect();
    let mut shown: String =
        letters.chunks(size).map(|it| markdown.add(&it.iter().collect::<String>())).collect();
    shown.push_str(&markdown.finish());
    shown_plainly(&shown)
}

const ANSWER: &str = "# Bridges of Rome

There are **many** bridges, and `Ponte Sisto` is one of the *oldest* of them all.
It is [here](https://example.com/sisto).

- first
- second, with a text that is so long that it goes on in the next line
  - within
1. one
2. two

| Bridge | Year | Length |
|:-------|-----:|:------:|
| Fabricio | -62 | 62 m |
| Sisto | 1479 | 108 m |

```rust
fn main() {

    println!(\"a long line of code stays as it is, however wide it is\");
}
```
Then:

> Quoted, in more words than fit on a line of this terminal.

- [x] done
- [ ] open

---
The end.";

#[test]
fn an_answer_is_laid_out() {
    let expected = "Bridges of Rome

There are many bridges, and Ponte Sisto
is one of the oldest of them all.
It is here (https://example.com/sisto).

• first
• second, with a text that is so long
  that it goes on in the next line
  • within

1. one
2. two

Bridge    Year  Length
────────  ────  ──────
Fabricio   -62   62 m
Sisto     1479  108 m

  rust
  fn main() {
  
      println!(\"a long line of code stays as it is, however wide it is\");
  }

Then:

│ Quoted, in more words than fit on a
│ line of this terminal.

• ☑ done
• ☐ open

────────────────────────────────────────

The end.
";
    assert_eq!(whole(ANSWER), expected);
}

#[test]
fn pieces_make_no_difference() {
    let long_list: String = (1..2_000).map(|at| format!("{at}. item {at}\n")).collect();
    let hostile = [
        "",
        "\n\n\n",
        "no end of line",
        "```\nnever closed",
        "```\n```\n~~~\n```\n~~~",
        "- \n- \n\n-",
        "| a |\n|---|\n| <b>c</b> |",
        "<div>\n\n**x**</div>",
        "a\n===\nb\n---\n",
        "[x]: https://example.com\n[x]",
        "\u{1b}[31mred\u{202e}",
        &"> ".repeat(500),
        &"* a ".repeat(300),
        &"**".repeat(1_000),
        &format!("{}x", "- ".repeat(300)),
        &"word ".repeat(5_000),
        &"x".repeat(40_000),
        &long_list,
        &"| a | b |\n".repeat(2_000),
    ];
    for source in hostile.into_iter().chain([ANSWER]) {
        let expected = whole(source);
        let is_cut = source.len() > super::LONGEST;
        for size in [1, 3, 7, 64, 1000].into_iter().filter(|size| !is_cut || *size > 7) {
            let shown = in_pieces(source, size);
            let begin: String = source.chars().take(60).collect();
            // Where a block is too long to be kept back it is cut where it is then.
            if !is_cut {
                assert_eq!(shown, expected, "{begin:?} in pieces of {size}");
            }
        }
    }
}

#[test]
fn nothing_is_lost() {
    for source in [ANSWER, &"word ".repeat(5_000), "```\nnever closed", "<b>bold</b> & <i>"] {
        let shown = whole(source);
        for word in source.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()) {
            assert!(shown.contains(word), "{word} in {shown:?}");
        }
    }
}

#[test]
fn lines_fit_unless_they_are_code() {
    let source = format!(
        "{}\n\n{}\n\n| {} | {} |\n|-|-|\n| b | c |",
        "宽".repeat(70),
        "x".repeat(90),
        "w ".repeat(50),
        "v".repeat(50)
    );
    for line in whole(&source).lines() {
        assert!(unicode_width::UnicodeWidthStr::width(line) <= WIDTH, "{line:?}");
    }
}
