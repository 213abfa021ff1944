"""Writes the table of all scenarios from the fixtures: what was broken, what the runtime said, what Pullproof says."""
import json
import re
from concurrent.futures import ThreadPoolExecutor

import judge
from bundle import describe
from scenarios import everything

HEAD = """# The scenarios of the lab

Written by `scripts/lab page` from `tests/data/lab`; what the lab is and how to add to it: [lab.md](lab.md).

*From the API* is what Pullproof says with the cluster's objects and messages alone; *with the nodes' facts*, where that
is more, with the nodes' files, command outputs and other vantages in hand. *Pending*: known, and not found yet.
"""
SHOWN = 240


def cell(text):
    """One line of a table: no markup of its own, no ends of lines."""
    text = re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;")
    return text if len(text) <= SHOWN else text[:SHOWN - 1] + "…"


def message(text):
    """The part of a message that tells, without the kubelet's and CRI's wrapping."""
    return re.sub(r"^.*?(?=failed to (do request|resolve|authorize|fetch|copy|unpack|extract|get sandbox)|unexpected status|rpc error: code)", "", text, count=1, flags=re.S)


def table(pullproof, fixtures):
    lines, family, count, pending = [], None, 0, 0
    scenarios = [(json.loads((home / "scenario.json").read_text()), home) for home in sorted(fixtures.iterdir())]
    scenarios.sort(key=lambda pair: (pair[0]["family"], pair[1].name))
    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda pair: judge.judge(pullproof, pair[1]), scenarios))
    for (s, home), judged in zip(scenarios, answers):
        if s["family"] != family:
            family = s["family"]
            lines += ["", f"## {family.capitalize()}", "", "| Scenario | The runtime's message | From the API | With the nodes' facts |", "| --- | --- | --- | --- |"]
        api, full = judge.words(judged.api), judge.words(judged.full)
        more = "" if full == api else full
        if judged.pending:
            wanted = " or ".join(c for v in s["full"] for c in v["causes"])
            more, pending = f"pending: {wanted}; {judged.pending}", pending + 1
        said = f"`{cell(message(s['messages'][0])).replace('`', chr(39))}`" if s["messages"] else "none"
        lines.append(f"| **{home.name}**: {cell(s['title'])}; {cell('; '.join(f'{n}: {k}' for n, k in s['nodes'].items()))} | {said} | {api} | {more} |")
        count += 1
    return HEAD + f"\n{count} scenarios, {pending} of them pending.\n" + "\n".join(lines) + "\n"


def refresh(fixtures, check):
    """What is to be found follows the scenarios' files without a run; returns the names of those that had not."""
    known, stale = {s.name: (f, s) for f, s in everything()}, []
    for home in sorted(fixtures.iterdir()):
        file = home / "scenario.json"
        before = file.read_text()
        if home.name not in known:
            raise SystemExit(f"lab: {home} is of no scenario: remove it")
        family, s = known[home.name]
        describe(s, family, json.loads(before)["messages"], home)
        if file.read_text() != before:
            stale.append(home.name)
            if check:
                file.write_text(before)
    return stale


def untold(guide) -> list:
    """The scenarios that no table of the guide names: which fault or rule each shows is said there."""
    rows = [line for line in guide.read_text().splitlines() if line.startswith("|")]
    told = set(re.findall(r"[\w.-]+", " ".join(rows)))
    return sorted(s.name for _, s in everything() if s.name not in told)


def write(pullproof, fixtures, path, check):
    if missing := untold(path.with_name("lab.md")):
        print(f"lab: lab.md has them in no table: {', '.join(missing)}")
        return 1
    stale = refresh(fixtures, check)
    if check and stale:
        print(f"lab: stale, run scripts/lab page: {', '.join(stale)}")
        return 1
    text = table(pullproof, fixtures)
    if not check:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        print(f"lab: {path.name} is stale: run scripts/lab page")
        return 1
    return 0
