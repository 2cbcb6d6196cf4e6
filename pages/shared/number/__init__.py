"""A followed number: its path in the address, its name, its steps in words, its way back to the tables."""
