"""The engine of the processor's cores: compiled loops over sessions."""
