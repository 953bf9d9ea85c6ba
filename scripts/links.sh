#!/bin/sh
# Every link in README.md and docs/*.md that leads to a file of this repository leads to one, and to a heading of
# that file where it names one. `links.sh FILE…` looks at other files.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md docs/*.md

# The headings of a file, as the links to them are written.
headings() {
    awk '
        /^ *```/ { code = !code }
        !code && /^#+ / {
            sub(/^#+ /, ""); heading = tolower($0)
            gsub(/[^a-z0-9 _-]/, "", heading); gsub(/ /, "-", heading)
            print heading (seen[heading]++ ? "-" seen[heading] - 1 : "")
        }
    ' "$1"
}

wrong=0
for file in "$@"; do
    # What stands between ]( and ), outside of code; nothing of another site.
    links=$(awk '
        /^ *```/ { code = !code }
        !code {
            line = $0
            gsub(/`[^`]*`/, "", line)
            while (match(line, /\]\([^)]*\)/)) {
                print substr(line, RSTART + 2, RLENGTH - 3)
                line = substr(line, RSTART + RLENGTH)
            }
        }
    ' "$file" | grep -vE '^[a-z]+:' || true)
    for link in $links; do
        path=${link%%#*}
        target=$file
        [ -z "$path" ] || target=$(dirname "$file")/$path
        if [ ! -e "$target" ]; then
            echo "$file: $link: $target is not there" >&2
            wrong=1
            continue
        fi
        case "$link" in
        *.md"#"* | "#"*)
            if ! headings "$target" | grep -qxF -- "${link#*#}"; then
                echo "$file: $link: there is no such heading" >&2
                wrong=1
            fi
            ;;
        esac
    done
done
exit "$wrong"
