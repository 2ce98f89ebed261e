"""HTTP, WebSocket and pages: translates, decides nothing."""
