"""What is measured: which peers do which work."""

import os
import sys
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))


class Run:
    """One peer in one scenario."""

    def __init__(self, peer, command, environment=None, count=None, slow=False):
        self.peer = peer
        self.command = command
        self.environment = environment or {}
        # How many requests it makes, where that is not what the others make.
        self.count = count
        # Takes so long that fewer rounds have to do.
        self.slow = slow


class Scenario:
    def __init__(self, name, title, runs, requests=None, bytes=None, connections=None):
        self.name, self.title, self.runs = name, title, runs
        self.requests, self.bytes, self.connections = requests, bytes, connections


def has(program):
    return shutil.which(program) is not None


def scenarios(server, programs, folder, requests):
    bare, ours, session = programs["BareClient"], programs["BenchmarkClient"], programs["SessionClient"]
    tuned = {"BUFFER": "524288", "GATHER": "524288"}
    certificate = {"CAFILE": server.certificate}
    out = os.path.join(folder, "out")
    python = [sys.executable, os.path.join(HERE, "peer_aiohttp.py")]
    big, small, slow = server.url("big.bin"), server.url("small.bin"), server.url("slow/")
    tls = server.url("big.bin", tls=True)
    result = []

    def download(name, title, url, target, environment=None, secure=False):
        environment = environment or {}
        peers = [
            Run("C", [bare, "download", url, target], environment),
            Run("C, tuned", [bare, "download", url, target], {**environment, **tuned}),
            Run("RunLoopNetworking", [ours, "download", url, target], environment),
        ]
        null = "/dev/null" if target == "-" else target
        trust = ["--cacert", server.certificate] if secure else []
        peers.append(Run("curl", ["curl", "-s", "-o", null, *trust, url]))
        if has("wget"):
            trust = ["--ca-certificate=" + server.certificate] if secure else []
            peers.append(Run("wget", ["wget", "-q", "-O", null, *trust, url]))
        if has("wget2"):
            trust = ["--ca-certificate=" + server.certificate] if secure else []
            peers.append(Run("wget2", ["wget2", "-q", "-O", null, *trust, url]))
        if has("aria2c") and target != "-" and not secure:
            peers.append(Run("aria2c", [
                "aria2c", "-q", "--allow-overwrite=true", "--file-allocation=none", "-d", folder, "-o",
                "out", url]))
        # Foundation's URLSession has no way to name an authority on Linux.
        if not secure:
            peers.append(Run("URLSession", [session, "download", url, target], slow=True))
            if has_aiohttp():
                peers.append(Run("aiohttp", [*python, "download", url, target]))
        result.append(Scenario(name, title, peers, bytes=700 << 20))

    download("null", "700 MiB to a delegate that drops it", big, "-")
    download("disk", "700 MiB to a file", big, out)
    download("tls", "700 MiB to a file, TLS 1.3", tls, out, certificate, secure=True)

    for concurrency in (1, 16, 64):
        arguments = ["many", small, str(requests), str(concurrency)]
        few = max(requests // 10, 200)
        peers = [
            Run("C", [bare, *arguments]),
            Run("C, lazy", [bare, *arguments], {"LAZY": "1"}),
            Run("RunLoopNetworking, loop", [ours, *arguments], {"DELIVERY": "loop"}),
            Run("RunLoopNetworking, OperationQueue", [ours, *arguments], {"DELIVERY": "operation-queue"}),
            Run("curl", ["curl", "-s", "-Z", "--parallel-max", str(concurrency), "-o", "/dev/null",
                         server.url("small/[1-%d]" % requests)] if concurrency > 1 else
                ["curl", "-s", "-o", "/dev/null", server.url("small/[1-%d]" % requests)]),
            Run("URLSession", [session, "many", small, str(few), str(concurrency)], count=few, slow=True),
        ]
        if has_aiohttp():
            peers.append(Run("aiohttp", [*python, *arguments], slow=True))
        result.append(Scenario(
            "many-%d" % concurrency, "%d GETs of 1 KiB, %d at once" % (requests, concurrency), peers,
            requests=requests))
    arguments = ["many", small, str(requests), "64"]
    result.append(Scenario("loops", "%d GETs of 1 KiB, 64 at once, on one loop and on two" % requests, [
        Run("C", [bare, *arguments]),
        Run("RunLoopNetworking, 1 loop", [ours, *arguments]),
        Run("RunLoopNetworking, 2 loops", [ours, *arguments], {"LOOPS": "2"}),
    ], requests=requests))

    for count in (1, 100, 1000, 10000):
        arguments = ["many", slow, str(count), str(count)]
        peers = [
            Run("C", [bare, *arguments], slow=True),
            Run("RunLoopNetworking", [ours, *arguments], slow=True),
        ]
        result.append(Scenario(
            "slow-%d" % count, "%d slow connections (64 KiB each, at 8 KiB/s)" % count, peers,
            requests=count, connections=count))
    result.append(Scenario("one", "one GET of 1 KiB in a new process", [
        Run("C", [bare, "many", small, "1", "1"]),
        Run("RunLoopNetworking", [ours, "many", small, "1", "1"]),
        Run("curl", ["curl", "-s", "-o", "/dev/null", small]),
        Run("URLSession", [session, "many", small, "1", "1"]),
    ], requests=1))
    result.append(Scenario("turns", "turns of the loop", [
        Run("RunLoopNetworking, 700 MiB", [ours, "download", big, "-"], {"TURNS": "1"}),
        Run("RunLoopNetworking, 700 MiB to a file", [ours, "download", big, out], {"TURNS": "1"}),
        Run("RunLoopNetworking, 1000 slow", [ours, "many", slow, "1000", "1000"], {"TURNS": "1"}, slow=True),
    ]))
    return result


def has_aiohttp():
    try:
        import aiohttp  # noqa: F401
    except ImportError:
        return False
    return True
