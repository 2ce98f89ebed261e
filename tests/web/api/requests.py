"""A request that can be read, for each operation of the API."""

from __future__ import annotations

from tests.web.a_house import PASSWORD

OPEN = """
show_house show_version list_readings list_tables show_terms show_history list_games
show_layout list_clauses take_to_pieces log_on take_over_account
take_seat log_on_without_password
pair_device show_health show_ready show_odds show_rules fetch_rules show_rulebook
show_rulebook_of_table
list_drills show_question mark_answer show_assessment mark_assessment
list_demonstration_staff choose_tour_table show_tour
"""
ID = {"id": "1"}
CENTS = {"id": "1", "cents": 100}
CHIPS = {"id": "1", "player": "Paul", "chips": 3}
NO_ROUND: dict[str, object] = {"seed": 1, "spins": 1, "given": []}
BODIES: dict[str, object] = {
    "follow_journal": {"streams": {}, "log_size": 0, "checkpoints": 0},
    "log_on": {"name": "Dana", "password": "wrong"},
    "log_on_without_password": {"name": "nobody"},
    "pair_device": {"code": "AAAA"},
    "take_to_pieces": {"wager": "red", "stake_cents": 100},
    "add_credit": ID,
    "rehearse_wagers": {"wagers": [{"wager": "red", "stake_cents": 100}]},
    "change_my_password": {"password": PASSWORD, "new_password": PASSWORD},
    "take_over_account": {
        "name": "Nobody",
        "password": "wrong",
        "new_password": PASSWORD,
        "voucher": "Mira",
        "voucher_password": PASSWORD,
    },
    "apply_house_file": {"text": ""},
    "propose_house_file": {"text": "", "password": PASSWORD},
    "open_table": ID,
    "close_table": ID,
    "change_terms": {"id": "1", "limits": [], "settings": []},
    "mark_answer": {"level": 1, "seed": 1, "answer": {}},
    "mark_assessment": NO_ROUND,
    "file_training": NO_ROUND | {"game": "mbs-roulette-v3"},
    "define_staff": {"name": "Nina", "positions": ["Dealer"]},
    "propose_staff": {"name": "Nina", "positions": ["Dealer"], "password": PASSWORD},
    "propose_password": {"temporary": PASSWORD, "password": PASSWORD},
    "assign_acting": {"position": "Pit Manager", "from_ms": 0, "until_ms": 1},
    "invite_device": {"name": "b1", "kind": "board", "table": "t1"},
    "register_player": {"name": "Pia", "pin": "2468"},
    "reset_pin": {"pin": "8642"},
    "seat_player": {"player": "Paul"},
    "limit_player": {"stake_cents": 1, "loss_cents": None, "deposit_cents": None},
    "exclude_player": {"until_ms": 1},
    "keep_favourite": {"game": "rws-triple-zero", "wagers": ["red@100"]},
    "buy_in": CENTS,
    "cash_out": CENTS,
    "issue_voucher": CENTS,
    "redeem_voucher": {"id": "1", "code": "AAAA"},
    "pay_voucher": {"id": "1", "code": "AAAA"},
    "pay_voucher_from_cage": {"id": "1", "code": "AAAA"},
    "propose_voucher_payment": {"voucher": "AAAA", "password": PASSWORD},
    "find_voucher": {"code": "NONE"},
    "lose_voucher": {"code": "NONE"},
    "count_float": {"id": "1", "count": "opening", "cents": 0},
    "fill_float": CENTS,
    "credit_float": CENTS,
    "buy_colour_chips": CHIPS,
    "buy_back_colour_chips": CHIPS,
    "pay_claim": CENTS,
    "pay_owed": CENTS,
    "propose": {
        "act": {"kind": "adjust", "seat": "Paul", "cents": -9, "reason": "why"},
        "password": PASSWORD,
    },
    "confirm_proposal": {"password": PASSWORD},
    "confirm_house_proposal": {"password": PASSWORD},
    "enrol_second_factor": {"password": PASSWORD},
    "confirm_second_factor": {"code": "123456"},
    "acknowledge_alarm": {"sequence": 1_000_000},
}
PATHS = {
    "game": "rws-triple-zero",
    "table": "t1",
    "name": "Paul",
    "seat": "term",
    "terminal": "nowhere",
    "device": "nothing",
    "session": "nothing",
    "colour": "blue",
    "player": "Paul",
    "favourite": "mine",
    "code": "NONE",
    "number": "9",
    "day": "2027-01-15",
    "drill": "payouts",
}
QUERIES = {
    "end_acting": "?position=Pit%20Manager",
    "search_seals": "?seal=00000000",
    "show_assessment": "?seed=1&spins=1",
}
