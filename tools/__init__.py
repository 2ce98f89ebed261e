"""Programs for developers; the package imports nothing from here."""
