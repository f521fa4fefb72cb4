"""Logs of a made fleet with known shares of causes (`tools/fleet/make-logs`)."""

import collections
import json
import random

from judge import files
from judge.cases import CASES

DAY = 86_400_000_000
# 2026-01-01, in microseconds since 1970: the fleet's first day.
FIRST_DAY = 1_767_225_600_000_000

# Of a thousand visits of each model with each version of the app, how many are of each kind (judge.cases);
# the rest are unlocks that go well.
SHARES = {
    ('compact', '3.1'): {'link_lost': 40, 'key_locked_out': 10, 'bond_lost_at_host': 30},
    ('compact', '3.2'): {'link_lost': 40, 'auth_counter_repeated': 120, 'bond_lost_at_host': 30},
    ('van', '3.1'): {'answer_late': 60, 'key_locked_out': 90},
    ('van', '3.2'): {'answer_late': 60, 'auth_counter_repeated': 120, 'never_subscribed': 20},
}
WELL = 'unlock'
DAYS = 28
# The kind that no log before this day has.
NEW, NEW_DAY = 'never_subscribed', 14


def visits(count, seed):
    """Yields model, app, day and kind of `count` visits; the shares are exact, as far as they divide."""
    chance = random.Random(f'fleet {seed}')
    groups = list(SHARES)
    made = []
    for place, (model, app) in enumerate(groups):
        size = count // len(groups) + (place < count % len(groups))
        kinds = [kind for kind, share in SHARES[model, app].items()
                 for _ in range(round(size * share / 1000))]
        kinds += [WELL] * (size - len(kinds))
        made += [(model, app, kind) for kind in kinds]
    chance.shuffle(made)
    for model, app, kind in made:
        yield model, app, chance.randrange(NEW_DAY if kind == NEW else 0, DAYS), kind


def make(folder, count, seed):
    """Makes the logs in folders named model=…/app=…, and truth.json beside them; returns what that holds."""
    truth = collections.Counter()
    for number, (model, app, day, kind) in enumerate(visits(count, seed)):
        case = CASES[kind]
        session = case.session(f'fleet {seed} {number}')
        # A session begins at its own time of the day.
        session.now_us = FIRST_DAY + day * DAY + session.random.randrange(DAY // 2)
        case.make(session)
        place = folder / f'model={model}' / f'app={app}'
        place.mkdir(parents=True, exist_ok=True)
        (place / f'{number:06d}.btsnoop').write_bytes(session.written(files.btsnoop(session.records)))
        truth[model, app, kind, day] += 1
    rows = [{'model': model, 'app': app, 'kind': kind, 'day': day, 'truth': CASES[kind].truth[0],
             'logs': logs} for (model, app, kind, day), logs in sorted(truth.items())]
    (folder / 'truth.json').write_text(json.dumps(rows, indent=1) + '\n')
    return rows
