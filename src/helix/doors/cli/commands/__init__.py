"""The commands. Each translates what was typed, calls the facade, and says what came of it."""
