"""Whether the ladder in this container goes on: some match of it has ended in the last quarter of an hour."""

import json
import subprocess
import sys
import time

SECONDS = 900

told = subprocess.run(["arena", "leaderboard", "--json"], capture_output=True, text=True, check=False)
if told.returncode != 0:
    sys.exit(told.stderr.strip())
played = [ladder["last_played"] for ladder in json.loads(told.stdout) if ladder["last_played"]]
if not played:
    sys.exit("no match has ended yet")
ago = time.time() - max(played)
print(f"the last match ended {ago:.0f} s ago")
if ago > SECONDS:
    sys.exit(1)
