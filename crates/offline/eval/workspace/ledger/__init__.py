"""The small change of a club."""

VERSION = "0.4.2"
