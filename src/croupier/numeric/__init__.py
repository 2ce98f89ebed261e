"""Probability, sums of many rounds, and values with their proven errors."""
