#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""live_races.py APPELL [ROUNDS]: requests of many kinds to `appell run --live` while it runs, from four threads.

APPELL is built with ThreadSanitizer (`make tsan`), which ends the program with its report at the first race.
Exit code 77: built without server or page.
"""
import os
import sys
import tempfile
import threading
from pathlib import Path

rounds = int(sys.argv.pop(2)) if len(sys.argv) > 2 else 1
os.environ["TSAN_OPTIONS"] = "halt_on_error=1"
import test_live  # noqa: E402  (takes APPELL from the arguments)

WISHES = [{"do": "pause"}, {"do": "step"}, {"do": "go"}, {"do": "input", "input": "motor", "value": 1.0},
          {"do": "push", "link": "arm", "point": [0, 0, -1], "target": [0.5, 0, -0.5]}, {"do": "release"},
          {"do": "speed", "value": 2.0}, {"do": "reset"}, "{"]


def ask(live, first, failures):
    """Pages, news and wishes in an order of the thread's own."""
    try:
        for k in range(2 * len(WISHES)):
            live.wish(WISHES[(first + k) % len(WISHES)])
            if k % 6 == first:
                live.ask()
                news = live.listen()
                next(news, None)
                news.close()
    except Exception as failure:  # the main thread reports it
        failures.append(repr(failure))


def trial(path):
    live, failures = test_live.Live(path), []
    if not live.line:
        why = live.run.stderr.read()
        sys.exit(77 if "was built without" in why else why)
    threads = [threading.Thread(target=ask, args=(live, k, failures)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    code, _, err = live.stop()
    if failures or "ThreadSanitizer" in err or code not in (0, 130):
        sys.exit(f"exit code {code}, {failures[:3]}\n{err}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "m.yaml"
        model.write_text(test_live.MODEL)
        for _ in range(rounds):
            trial(model)
    print(f"live races: {rounds} runs, no race")
