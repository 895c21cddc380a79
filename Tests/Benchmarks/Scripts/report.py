"""Tables, a page and a picture from the figures of a run."""

import json
import os
import platform
import re
import statistics
import subprocess
import sys

OURS = "RunLoopNetworking"


def machine():
    def first_line(*command):
        try:
            return subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            ).stdout.splitlines()[0]
        except (OSError, IndexError):
            return None

    model = ""
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":")[1].strip()
                break
    versions = [
        first_line("swift", "--version"), first_line("curl", "--version"), first_line("nginx", "-v"),
        first_line("wget", "--version"), first_line("wget2", "--version"), first_line("aria2c", "--version"),
    ]
    return {
        "processor": model, "cores": os.cpu_count(), "kernel": platform.release(),
        "versions": [re.sub(r" \(.*", "", version) for version in versions if version],
    }


def median(values):
    return statistics.median(values) if values else None


class Table:
    """One scenario: medians, and the medians of the ratios within a round."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.rows = []
        for peer in scenario["peers"]:
            own = [r[peer] for r in scenario["rounds"] if peer in r]
            if not own:
                continue
            requests = own[0].get("requests")
            share = (scenario["requests"] or 1) / (requests or scenario["requests"] or 1)
            row = {
                "peer": peer, "runs": len(own),
                "seconds": median([o["seconds"] for o in own]) * share,
                "least": min(o["seconds"] for o in own) * share,
                "most": max(o["seconds"] for o in own) * share,
                "cpu": median([o["cpu"] for o in own]) * share,
                "process": median([o["process_seconds"] for o in own]) * share,
                "maxrss": median([o["maxrss_kib"] for o in own]),
                "messages": median([o["messages"] for o in own if "messages" in o] or [0]),
                "turns": [o["turns"] for o in own if "turns" in o],
            }
            for base in ("C", "curl", "URLSession"):
                row["seconds:" + base] = self.ratio(peer, base, "seconds")
                row["cpu:" + base] = self.ratio(peer, base, "cpu")
            self.rows.append(row)

    def ratio(self, peer, base, key):
        values = []
        for figures in self.scenario["rounds"]:
            if peer in figures and base in figures:
                # The tools have no clock of their own: whole processes are compared with them.
                name = "process_seconds" if key == "seconds" and base == "curl" else key
                one, other = figures[peer], figures[base]
                share = (other.get("requests") or 1) / (one.get("requests") or 1)
                if other[name]:
                    values.append(one[name] * share / other[name])
        return median(values)

    def row(self, beginning):
        return next((r for r in self.rows if r["peer"].startswith(beginning)), None)

    def markdown(self):
        requests = self.scenario["requests"]
        unit = "CPU µs/request" if requests else "CPU s"
        lines = [
            "| | s | least … most | %s | peak MiB | messages | s to C | CPU to C | s to curl |" % unit,
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        ]
        for row in sorted(self.rows, key=lambda row: row["seconds"]):
            cpu = "%.1f" % (row["cpu"] / requests * 1e6) if requests else "%.3f" % row["cpu"]
            lines.append("| %s | %.3f | %.3f … %.3f | %s | %.1f | %s | %s | %s | %s |" % (
                row["peer"], row["seconds"], row["least"], row["most"], cpu, row["maxrss"] / 1024,
                "%d" % row["messages"] if row["messages"] else "", number(row["seconds:C"]),
                number(row["cpu:C"]), number(row["seconds:curl"])))
        return "\n".join(lines)


def number(value):
    return "" if value is None else "%.2f" % value


def turns_markdown(table):
    lines = []
    for row in table.rows:
        if not row["turns"]:
            continue
        bounds = row["turns"][0]["bounds"]
        counts = [sum(t["counts"][i] for t in row["turns"]) for i in range(len(bounds) + 1)]
        total = sum(counts) or 1
        below = 100 * sum(counts[:bounds.index(10) + 1]) / total
        longest = max(t["longest"] for t in row["turns"])
        if not lines:
            heads = ["< %g ms" % bound for bound in bounds] + ["more"]
            lines += ["| | %s | below 10 ms | longest |" % " | ".join(heads),
                      "|---|" + "--:|" * (len(bounds) + 3)]
        lines.append("| %s | %s | %.2f %% | %.1f ms |" % (
            row["peer"].split(", ", 1)[-1], " | ".join(str(c) for c in counts), below, longest))
    return "\n".join(lines)


def targets(tables):
    """What was aimed at, and what came out."""
    rows = []

    def check(work, text, value, limit, at_least=False):
        if value is None:
            return
        good = value >= limit if at_least else value <= limit
        rows.append((work, text % (("≥ " if at_least else "≤ ") + "%g" % limit), "%.2f" % value,
                     "yes" if good else "no"))

    def row(name, peer=OURS):
        return tables[name].row(peer) if name in tables else None

    def inverse(value):
        return None if value is None else 1 / value

    if own := row("null"):
        check("700 MiB, dropped", "time %s × C", own["seconds:C"], 1.1)
        check("700 MiB, dropped", "CPU %s × C", own["cpu:C"], 1.5)
        check("700 MiB, dropped", "%s × faster than URLSession", inverse(own["seconds:URLSession"]), 5, True)
    if own := row("disk"):
        check("700 MiB to a file", "time %s × curl", own["seconds:curl"], 0.75)
        check("700 MiB to a file", "CPU %s × curl", own["cpu:curl"], 1.1)
        check("700 MiB to a file", "peak %s MiB", own["maxrss"] / 1024, 30)
    if own := row("tls"):
        check("700 MiB to a file, TLS", "time %s × curl", own["seconds:curl"], 0.85)
    for name in ("many-16", "many-64"):
        if own := row(name, OURS + ", loop"):
            check(name + ", on the loop", "CPU %s × C", own["cpu:C"], 1.6)
        if own := row(name, OURS + ", OperationQueue"):
            check(name + ", OperationQueue", "time %s × C", own["seconds:C"], 1.4)
            check(name + ", OperationQueue", "CPU %s × C", own["cpu:C"], 2.5)
            check(name + ", OperationQueue", "%s × faster than URLSession",
                  inverse(own["seconds:URLSession"]), 10, True)
    if own := row("many-1", OURS + ", OperationQueue"):
        check("many-1, OperationQueue", "time %s × C", own["seconds:C"], 1.6)
    if "slow-10000" in tables and "slow-1" in tables:
        def each(peer):
            few, many = tables["slow-1"].row(peer), tables["slow-10000"].row(peer)
            return (many["maxrss"] - few["maxrss"]) / 9999 if few and many else None
        ours, bare = each(OURS), each("C")
        if ours and bare:
            check("10,000 slow connections", "memory of each %s × C", ours / bare, 1.3)
    if own := row("slow-1000"):
        check("1,000 slow connections", "CPU %s × C", own["cpu:C"], 2)
    if own := row("one"):
        check("one GET, new process", "%s ms", own["process"] * 1000, 20)
    return rows


def show(data, page, picture):
    tables = {scenario["name"]: Table(scenario) for scenario in data["scenarios"]}
    parts = []
    for name, table in tables.items():
        body = turns_markdown(table) if name == "turns" else table.markdown()
        parts.append("### %s\n\n%s" % (table.scenario["title"], body))
    aims = targets(tables)
    aims_text = "\n".join(
        ["| work | aim | measured | reached |", "|---|---|--:|---|"]
        + ["| %s | %s | %s | %s |" % aim for aim in aims])
    text = "\n\n".join(parts)
    print(text + "\n\n" + aims_text)
    if page:
        write_page(data, tables, text, aims_text, page)
    if picture:
        with open(picture, "w") as file:
            file.write(draw(tables))


def write_page(data, tables, text, aims, page):
    """Replaces what lies between the marks; the words around them are written by hand."""
    found = data["machine"]
    where = "%s, %d cores, Linux %s; %s." % (
        found["processor"] or "unknown processor", found["cores"], found["kernel"],
        "; ".join(found["versions"]))
    with open(page) as file:
        old = file.read()
    for mark, new in (("machine", where), ("aims", aims), ("tables", text)):
        old = re.sub(
            r"(<!-- %s -->\n).*?(<!-- end of %s -->)" % (mark, mark),
            lambda match: match.group(1) + "\n" + new + "\n\n" + match.group(2), old, flags=re.S)
    with open(page, "w") as file:
        file.write(old)


def draw(tables):
    """Bars: how long each peer takes, as a multiple of the bare C client."""
    wanted = [("null", "700 MiB, dropped"), ("disk", "700 MiB to a file"), ("tls", "700 MiB, TLS, to a file"),
              ("many-16", "20,000 GETs, 16 at once"), ("many-64", "20,000 GETs, 64 at once")]
    y = 30
    out = []
    for name, title in wanted:
        if name not in tables:
            continue
        out.append('<text x="16" y="%d" class="title">%s</text>' % (y, title))
        y += 12
        for row in sorted(tables[name].rows, key=lambda row: row["seconds:C"] or 0):
            ratio = row["seconds:C"]
            if ratio is None:
                continue
            width = min(ratio, 6) * 70
            kind = "ours" if row["peer"].startswith(OURS) else "peer"
            out.append('<text x="230" y="%d" class="name">%s</text>' % (y + 11, row["peer"]))
            out.append('<rect x="240" y="%d" width="%.1f" height="13" class="%s"/>' % (y, width, kind))
            out.append('<text x="%.1f" y="%d" class="value">%.2f</text>' % (246 + width, y + 11, ratio))
            y += 17
        y += 22
    style = (
        "text{font:12px system-ui,sans-serif;fill:#222}.title{font-weight:600}.name{text-anchor:end}"
        ".peer{fill:#9aa7b4}.ours{fill:#d9632b}svg{background:#fff}"
        "@media(prefers-color-scheme:dark){text{fill:#ddd}svg{background:#161a1f}.peer{fill:#5b6673}}")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="760" height="%d" role="img" aria-label="'
        'Time of each program as a multiple of a bare C client">\n<style>%s</style>\n%s\n</svg>\n'
        % (y, style, "\n".join(out)))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        show(json.load(file), *(sys.argv[2:4] + [None, None])[:2])
