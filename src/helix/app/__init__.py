"""The facade, settings, wiring and doctor: the only place that knows concrete adapters."""
