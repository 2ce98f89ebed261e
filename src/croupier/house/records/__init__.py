"""The house's own record and state, and checks of its journal."""
