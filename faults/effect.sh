#!/bin/sh
# A tool with an effect: `effect.sh FILE TOOL -- KEY MILLISECONDS` says in FILE that it began, takes its time, and says
# that it ended. Lines this short are appended whole.
echo "begin $2 $4" >>"$1"
[ "$5" = 0 ] || sleep "$(printf '%d.%03d' $(($5 / 1000)) $(($5 % 1000)))"
echo "end $2 $4" >>"$1"
echo "$2 $4 is done"
