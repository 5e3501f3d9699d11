"""The nouns: frozen records, choices, units, money and errors; standard library only."""
