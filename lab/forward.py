"""forward.py RUN FD: hands connections of a listener that was made elsewhere on to the API server of this network."""
import socket
import sys
import threading

from cluster import API

listener = socket.socket(fileno=int(sys.argv[2]))


def pump(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
    except OSError:  # the other side has gone: so does this one
        pass
    for s in (a, b):
        try:
            s.shutdown(socket.SHUT_RDWR)
        except OSError:  # already closed
            pass


while True:
    client, _ = listener.accept()
    try:
        server = socket.create_connection((API, 6443), timeout=10)
    except OSError:
        client.close()
        continue
    server.settimeout(None)
    for pair in ((client, server), (server, client)):
        threading.Thread(target=pump, args=pair, daemon=True).start()
