#!/bin/sh
# Copies the data into backups/ with the day in its name.
mkdir -p backups
cp data/entries.csv "backups/entries-$(date +%F).csv"
