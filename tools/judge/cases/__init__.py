"""Sessions made so that what failed in them, and on which side, is known.

docs/verdict.md lists them and says what a side is. Each is made from a seed: addresses, handles, times,
attributes and the amount of traffic differ, the fault stays. `judge faults` compares the verdict with it.
"""

from judge.cases import application, att, connections, healthy, key, pairing, radio, recorder, tolerated
from judge.cases.registry import CASES, HEALTHY

__all__ = ['CASES', 'HEALTHY', 'application', 'att', 'connections', 'healthy', 'key', 'pairing', 'radio',
           'recorder', 'tolerated']
