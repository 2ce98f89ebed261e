"""The house: its configuration, people, floor, connections and records."""
