"""What `pullproof node IMAGE` costs without a probe: time and memory against their bounds. See scripts/bench."""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cluster import components, until

BOUND_MS, BOUND_MB, RUNS, REGISTRIES = 100, 30, 20, 200
CONFIG = "version = 3\n[plugins.'io.containerd.cri.v1.images'.registry]\nconfig_path = '/etc/containerd/certs.d'\n"


def node(root: Path):
    """The files of a node with many registries, each with a mirror and a CA."""
    program = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -days 30 -subj /CN=ca".split()
    ca = subprocess.run(program, text=True, capture_output=True, check=True).stdout
    files = {"etc/containerd/config.toml": CONFIG, "etc/hosts": "127.0.0.1 localhost\n", "etc/resolv.conf": "nameserver 192.0.2.1\n", "etc/ca.pem": ca}
    for n in range(REGISTRIES):
        files[f"etc/containerd/certs.d/r{n}.example.com/hosts.toml"] = f"server = 'https://r{n}.example.com'\n[host.'https://m{n}.example.com']\nca = '/etc/ca.pem'\n"
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for name in ("proc", "run/containerd"):
        (root / name).mkdir(parents=True, exist_ok=True)


def containerd(root: Path, at: Path):
    """A real containerd behind the node's socket; None where there is none to start."""
    program = components() / "bin" / "containerd-2.2.1" / "containerd"
    if os.geteuid() != 0 or not program.exists():
        return None
    socket = root / "run/containerd/containerd.sock"
    config = at / "config.toml"
    config.write_text(f"version = 3\nroot = '{at}/root'\nstate = '{at}/state'\n[grpc]\naddress = '{socket}'\n[plugins.'io.containerd.cri.v1.runtime']\nrestrict_oom_score_adj = true\n")
    log = open(at / "log", "w")
    running = subprocess.Popen([program, "--config", config], stdout=log, stderr=log, env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"})
    ctr = program.parent / "ctr"
    until(lambda: subprocess.run([ctr, "-a", socket, "version"], capture_output=True).returncode == 0, 30, "containerd")
    return running


def main():
    pullproof = Path(os.environ.get("PULLPROOF") or Path(os.environ.get("CARGO_TARGET_DIR") or "target") / "release" / "pullproof").resolve()
    with tempfile.TemporaryDirectory() as scratch:
        root, at = Path(scratch) / "node", Path(scratch) / "containerd"
        at.mkdir()
        node(root)
        running = containerd(root, at)
        try:
            took, peak = [], 0
            for _ in range(RUNS):
                line = [pullproof, "node", "r7.example.com/team/app:1", "--no-probe", "--root", root, "--live", "-o", "json", "--exit-zero"]
                with open(at / "report", "wb") as report:
                    begun = time.perf_counter()
                    child = subprocess.Popen([*line, "--runtime", "containerd", "--runtime-version", "2.2.1"], stdout=report)
                    _, status, used = os.wait4(child.pid, 0)
                    took.append((time.perf_counter() - begun) * 1000)
                peak = max(peak, used.ru_maxrss * 1024 / 1e6)
                said = (at / "report").read_bytes()
                if status != 0 or b"m7.example.com" not in said:
                    sys.exit(f"node: no report, status {status}")
            if running and b'"state": "answers"' not in said:
                sys.exit("node: containerd was started and did not answer")
        finally:
            if running:
                running.terminate()
                running.wait()
    took.sort()
    asked = "a real containerd and its files" if running else "files alone: no containerd of the lab, or no root"
    print(f"node IMAGE: {took[RUNS // 2]:.0f} ms, the median (at most {BOUND_MS}; worst {took[-1]:.0f}), {peak:.0f} MB (at most {BOUND_MB}); {REGISTRIES} registries, {asked}")
    sys.exit(took[RUNS // 2] > BOUND_MS or peak > BOUND_MB)


if __name__ == "__main__":
    main()
