#!/bin/sh
# Counts the ticked boxes of the README beside this script.
done_count=$(grep -c '^- \[x\]' README.md)
all_count=$(grep -c '^- \[.\]' README.md)
echo "$done_count of $all_count done"
