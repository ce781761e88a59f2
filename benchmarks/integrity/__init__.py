"""Both sides of every gate: attacks let through, honest memory lost; and whether erased is gone."""
