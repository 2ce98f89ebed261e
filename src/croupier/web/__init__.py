"""HTTP, WebSocket and pages of a house; this package translates and decides nothing."""
