"""The second opinion, in three packages: `journal`, `report` and `wheel`.

- `journal` verifies a journal and settles it again;
- `report` compares the actual return with the theoretical one;
- `wheel` tests the outcomes of a wheel for bias.
"""
