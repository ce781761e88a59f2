"""`python -m benchmarks recall`: what is found, how high, and how fast, on public sets."""
