"""Which version of this code made a number: it stands in every file that is taken away."""

VERSION = "0.1.0"
