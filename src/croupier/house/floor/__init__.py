"""The tables in play: actor, timers, automatic dealer, transient state, exposure."""
