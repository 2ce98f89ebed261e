"""The floor and the people: tables, staff and devices of one house."""
