"""The server of the benchmarks: nginx on loopback, with a file of 700 MiB, small ones and slow ones."""

import os
import signal
import socket
import subprocess
import time

BIG = 700 << 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


CONFIGURATION = """
daemon off;
worker_processes 1;
worker_rlimit_nofile 65536;
error_log {folder}/error.log;
pid {folder}/nginx.pid;
{user}
events {{ worker_connections 32768; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 100000000;
    keepalive_timeout 600s;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} backlog=16384;
        listen 127.0.0.1:{tls_port} ssl backlog=4096;
        ssl_certificate {folder}/server.pem;
        ssl_certificate_key {folder}/server.key;
        root {folder}/files;
        location /small/ {{ rewrite ^ /small.bin break; }}
        location /slow/ {{ limit_rate 8k; rewrite ^ /slow.bin break; }}
    }}
}}
"""


class Server:
    def __init__(self, folder):
        self.folder = folder
        self.port, self.tls_port = free_port(), free_port()
        files = os.path.join(folder, "files")
        os.makedirs(files)
        os.chmod(folder, 0o755)
        block = bytes(range(256)) * 4096
        with open(os.path.join(files, "big.bin"), "wb") as big:
            for _ in range(BIG // len(block)):
                big.write(block)
        for name, count in (("small.bin", 1024), ("slow.bin", 65536)):
            with open(os.path.join(files, name), "wb") as file:
                file.write(block[:count])
        self.certificate = os.path.join(folder, "server.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", os.path.join(folder, "server.key"),
             "-out", self.certificate],
            check=True, stderr=subprocess.DEVNULL)
        path = os.path.join(folder, "nginx.conf")
        with open(path, "w") as file:
            file.write(CONFIGURATION.format(
                folder=folder, port=self.port, tls_port=self.tls_port,
                user="user root;" if os.getuid() == 0 else ""))
        self.process = subprocess.Popen(
            ["nginx", "-e", os.path.join(folder, "error.log"), "-p", folder, "-c", path])
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.01)
        raise SystemExit("nginx does not answer; see " + os.path.join(folder, "error.log"))

    def url(self, path, tls=False):
        if tls:
            return "https://127.0.0.1:%d/%s" % (self.tls_port, path)
        return "http://127.0.0.1:%d/%s" % (self.port, path)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
