"""The messages between house and devices, their schema, and the Python client."""
