"""The laboratory: sessions, best play, simulation and the check of a wheel."""
