"""Facts that no rulebook gives, read from facts.json, which tells where each comes from."""

import json
from pathlib import Path
from typing import Final

_FACTS: Final = json.loads(Path(__file__).with_name("facts.json").read_text(encoding="utf-8"))

IDLE_TURNS: Final = int(_FACTS["idle_turns_for_each_seat"]["value"])  # a seat's share of the guard (N11)
