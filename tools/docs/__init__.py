"""The parts of the documentation that come from the code."""
