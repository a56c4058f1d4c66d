"""Receives the webhook of Prometheus Alertmanager, and posts an alarm to Tocsin for each alert.

Environment: TOCSIN_URL, TOCSIN_TOKEN (an API key), PORT (by default 9095).
"""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

PRIORITIES = {"critical": 1, "error": 2, "warning": 3}


def alarm_of(alert):
    labels, notes = alert["labels"], alert["annotations"]
    name = labels["alertname"]
    return {
        "path": f"Alertmanager.{name}.{alert['fingerprint']}",
        "raised": alert["status"] == "firing",
        "priority": PRIORITIES.get(labels.get("severity"), 4),
        "alarmMessage": notes.get("summary") or notes.get("description") or name,
    }


def post(alarm):
    headers = {
        "Authorization": f"Bearer {os.environ['TOCSIN_TOKEN']}",
        "Content-Type": "application/json",
    }
    body = json.dumps(alarm).encode()
    urlopen(Request(f"{os.environ['TOCSIN_URL']}/api/v1/alarms", body, headers), timeout=10).close()


class Bridge(BaseHTTPRequestHandler):
    def do_POST(self):
        webhook = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = 200
        try:
            for alert in webhook["alerts"]:
                post(alarm_of(alert))
        except OSError as error:
            # Alertmanager sends the alerts again after a 5xx.
            self.log_error("%s", error)
            status = 503
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9095"))), Bridge).serve_forever()
