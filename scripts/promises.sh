#!/bin/sh
# Every promise of a README names what holds it: each item of "What it promises" ends with a comment
#
#     <!-- held by: crates/NAME/tests/FILE.rs#test_name benches/FILE -->
#
# and so may any other line. This fails where an item has none, and where a file or a test that is named is not
# there. `promises.sh FILE` looks at another file than README.md.
set -eu
cd "$(dirname "$0")/.."
file=${1:-README.md}

# One line for each reference, `? ITEM` for an item without one.
named=$(awk '
    function finish() {
        if (item != "" && !held) print "? " item
        item = ""; held = 0
    }
    /^## / { finish(); promises = ($0 == "## What it promises"); if (promises) found = 1 }
    promises && /^- / { finish(); item = $0 }
    /<!-- held by:/ { open = 1; sub(/.*<!-- held by:/, "") }
    open {
        line = $0
        if (line ~ /-->/) { sub(/-->.*/, "", line); closes = 1 }
        count = split(line, refs, /[ \t,]+/)
        for (i = 1; i <= count; i++) if (refs[i] != "") { print refs[i]; held = 1 }
        if (closes) { open = 0; closes = 0 }
    }
    END { finish(); if (!found) print "? (there is no \"What it promises\")" }
' "$file")

wrong=0
complain() {
    echo "$file: $1" >&2
    wrong=1
}
while IFS= read -r ref; do
    case "$ref" in
    "") ;;
    "? "*) complain "nothing holds: ${ref#"? "}" ;;
    *"#"*)
        path=${ref%%#*}
        if [ ! -f "$path" ]; then
            complain "$path is not there"
        elif ! grep -qE "(fn|def) ${ref#*#}\\(" "$path"; then
            complain "$path has no test ${ref#*#}"
        fi
        ;;
    *) [ -e "$ref" ] || complain "$ref is not there" ;;
    esac
done <<END
$named
END
[ "$wrong" = 0 ] || {
    echo "Name the test or the bench that holds the promise, or take the promise back." >&2
    exit 1
}
