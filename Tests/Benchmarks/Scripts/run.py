"""Measures the library beside its peers, in turn, and writes what came out.

    run.py --programs FOLDER --results FILE [--rounds N] [--only null,disk] [--requests N] [--page FILE]

Each round runs every peer of a scenario once, in a rotated order. Ratios are taken within a round, and
the median of them is shown: seconds drift on a shared machine, ratios much less.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import report
import scenarios
import servers


def measure(run, launcher, folder):
    """Runs one peer once; returns its figures, or None with a reason on standard error."""
    out = os.path.join(folder, "out")
    if os.path.exists(out):
        os.remove(out)
    figures = os.path.join(folder, "figures")
    environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    environment.update(run.environment)
    done = subprocess.run(
        [launcher, figures, *run.command], env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, cwd=folder)
    with open(figures) as file:
        result = json.load(file)
    result["cpu"] = result["user"] + result["system"]
    result["seconds"] = result["process_seconds"]
    lines = done.stdout.decode().strip().splitlines()
    if lines and lines[-1].startswith("{"):
        own = json.loads(lines[-1])
        result["seconds"] = own["seconds"]
        for key in ("messages", "bytes", "turns"):
            if key in own:
                result[key] = own[key]
    if result["status"] != 0:
        print("%s failed: %s" % (run.peer, done.stderr.decode()[-300:]), file=sys.stderr)
        return None
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--results", required=True)
    parser.add_argument("--page")
    parser.add_argument("--picture")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=20000)
    parser.add_argument("--only", default="")
    parser.add_argument("--peers", default="", help="a list of beginnings of names")
    options = parser.parse_args()
    names = ("BareClient", "BenchmarkClient", "SessionClient")
    programs = {name: os.path.join(os.path.abspath(options.programs), name) for name in names}
    launcher = os.path.join(os.path.abspath(options.programs), "Launcher")
    folder = tempfile.mkdtemp(prefix="benchmark-")
    server = servers.Server(folder)
    only = [name for name in options.only.split(",") if name]
    peers = tuple(name for name in options.peers.split(",") if name)
    measured = []
    try:
        for scenario in scenarios.scenarios(server, programs, folder, options.requests):
            if only and not any(scenario.name.startswith(name) for name in only):
                continue
            runs = [run for run in scenario.runs if not peers or run.peer.startswith(peers)]
            rounds = []
            for number in range(options.rounds):
                order = runs[number % len(runs):] + runs[:number % len(runs)]
                figures = {}
                for run in order:
                    if run.slow and number >= 3 and scenario.name != "slow-1":
                        continue
                    result = measure(run, launcher, folder)
                    if result is not None:
                        result["requests"] = run.count or scenario.requests
                        figures[run.peer] = result
                rounds.append(figures)
                print("%s: round %d of %d" % (scenario.name, number + 1, options.rounds),
                      file=sys.stderr)
            measured.append({
                "name": scenario.name, "title": scenario.title, "bytes": scenario.bytes,
                "requests": scenario.requests, "connections": scenario.connections,
                "peers": [run.peer for run in runs], "rounds": rounds})
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    data = {"machine": report.machine(), "scenarios": measured}
    with open(options.results, "w") as file:
        json.dump(data, file, indent=1)
    report.show(data, options.page, options.picture)


if __name__ == "__main__":
    main()
