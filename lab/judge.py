"""Asks Pullproof about a saved scenario and holds its answers against what is to be found.

Three sides: the live cluster, the saved objects, and the runtime's message alone; then everything that was saved, the
nodes' files and other vantages too. A scenario is read from its `scenario.json`, so that fixtures need no lab.
"""
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from bundle import VANTAGES

STAGES = {c["id"]: c["stage"] for c in json.loads((Path(__file__).resolve().parent.parent / "tests/data/causes.json").read_text())["causes"]}


@dataclass
class Incident:
    cause: str
    stage: str
    confidence: str
    pods: list
    next_test: bool

    def __str__(self):
        return f"{self.cause} ({self.confidence})"


@dataclass
class Judged:
    wrong: list = field(default_factory=list)      # what is not as declared, a sentence each
    pending: str = ""                              # what is known not to be reached yet
    api: list = field(default_factory=list)
    full: list = field(default_factory=list)


class Failed(Exception):
    """Pullproof gave no answer."""


def run(argv, **kw):
    return subprocess.run([str(a) for a in argv], text=True, capture_output=True, timeout=180, **kw)


def ask(argv) -> list:
    """The incidents of a report."""
    done = run(argv)
    try:
        incidents = json.loads(done.stdout)["incidents"]
    except ValueError:
        raise Failed(f"exit {done.returncode}, no report: {done.stderr.strip()[:200]}") from None
    if done.returncode != (1 if incidents else 0):
        raise Failed(f"exit {done.returncode} with {len(incidents)} incidents")
    return [Incident(i["cause"], i["stage"], i["confidence"], sorted(p["name"] for p in i["affected"]["pods"]), bool(i["next_test"])) for i in incidents]


def saved(pullproof, home: Path, vantages) -> list:
    there = [home / v for v in vantages if (home / v).exists()]
    return ask([pullproof, "diagnose", "--from", *there, "-o", "json"])


def explained(pullproof, texts) -> list:
    """The cause that each text carries."""
    lines = "".join(json.dumps({"id": str(i), "text": t}) + "\n" for i, t in enumerate(texts))
    done = run([pullproof, "explain", "--jsonl"], input=lines)
    if done.returncode != 0:
        raise Failed(f"explain: exit {done.returncode}: {done.stderr.strip()[:200]}")
    return [json.loads(line)["cause"] for line in done.stdout.splitlines()]


def differences(wanted, incidents) -> list:
    """What is not as declared, a sentence each."""
    left, wrong = list(wanted), []
    for i in incidents:
        fits = [v for v in left if i.cause in v["causes"]]
        verdict = next((v for v in fits if v["pods"] == i.pods), fits[0] if fits else None)
        if verdict is None:
            wrong.append(f"{'WRONG AND CONFIRMED' if i.confidence == 'confirmed' else 'not expected'}: {i}")
            continue
        left.remove(verdict)
        if i.stage != STAGES[i.cause]:
            wrong.append(f"{i.cause}: stage {i.stage}, not {STAGES[i.cause]}")
        if i.confidence == "possible" or (verdict["confidence"] == "confirmed" and i.confidence != "confirmed"):
            wrong.append(f"{i}: not {verdict['confidence']}")
        if i.pods != verdict["pods"] and verdict["pods"] != ["*"]:
            wrong.append(f"{i.cause}: blames {', '.join(i.pods) or 'no pod'}, not {', '.join(verdict['pods'])}")
    return wrong + [f"missing: {' or '.join(v['causes'])}" for v in left]


def judge(pullproof, home: Path, live=None) -> Judged:
    """`live`: the command line that asks the cluster."""
    s, judged = json.loads((home / "scenario.json").read_text()), Judged()
    deepest = {c for v in s["full"] for c in v["causes"]}
    try:
        judged.api = saved(pullproof, home, ["kube"])
        judged.full = saved(pullproof, home, VANTAGES)
        if live:
            seen = ask(live)
            judged.wrong += [f"live: {w}" for w in differences(s["api"], seen)]
            judged.wrong += [f"live: {i} names no next test" for i in seen if i.confidence != "confirmed" and not i.next_test]
            # objects are saved with more than a live run may read: what they show then must be what explains it
            if sorted(map(str, seen)) != sorted(map(str, judged.api)) and not all(i.cause in deepest for i in judged.api):
                judged.wrong.append(f"live says {words(seen)}, the saved objects {words(judged.api)}")
        judged.wrong += [f"saved: {w}" for w in differences(s["api"], judged.api)]
        for text, cause in zip(s["messages"], explained(pullproof, s["messages"])):
            if s["says"] and cause not in s["says"]:
                judged.wrong.append(f"explain: {cause}, not {' or '.join(s['says'])}: {text[:160]}")
    except Failed as e:
        judged.wrong.append(str(e))
        return judged
    missed = differences(s["full"], judged.full)
    if s["pending"] and missed and not any("CONFIRMED" in m for m in missed):
        judged.pending = s["pending"]
    elif s["pending"] and not missed:
        judged.wrong.append("full: no longer pending, take the line away")
    else:
        judged.wrong += [f"full: {m}" for m in missed]
    return judged


def words(incidents):
    return ", ".join(map(str, incidents)) or "nothing failing"


def wrong_expectations(wanted, incidents):
    """(what, verdicts) of expectations that `incidents` must not meet: `wanted` with one thing wrong in it."""
    other = next(c for c in STAGES if all(c not in v["causes"] for v in wanted) and all(c != i.cause for i in incidents))
    yield "one incident more", [*wanted, {"causes": [other], "confidence": "likely", "pods": []}]
    for n, v in enumerate(wanted):
        instead = lambda *new: [*wanted[:n], *new, *wanted[n + 1:]]
        yield "another cause", instead(v | {"causes": [other]})
        yield "one incident less", instead()
        if v["pods"] != ["*"]:
            yield "another pod", instead(v | {"pods": [*v["pods"], "nobody"]})
        if not any(i.confidence == "confirmed" for i in incidents if i.cause in v["causes"]):
            yield "more confidence", instead(v | {"confidence": "confirmed"})


def fooled(pullproof, home: Path):
    """How many wrong expectations were held against what Pullproof says of a fixture, and those that passed: none may."""
    s, tried, passed = json.loads((home / "scenario.json").read_text()), 0, []
    for side, vantages in (("api", ["kube"]), ("full", VANTAGES)):
        incidents = saved(pullproof, home, vantages)
        for what, wanted in wrong_expectations(s[side], incidents):
            tried += 1
            if not differences(wanted, incidents):
                passed.append(f"{side}: {what}")
    return tried, passed
