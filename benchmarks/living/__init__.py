"""A memory's life, measured: a year of real history, sweeps at scale, kills, compression."""
