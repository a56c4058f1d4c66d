"""POST /api/v1/alarms: raises an alarm; the answer is its identifier."""

import json
import os
from urllib.request import Request, urlopen

body = {"path": "Pump.P101", "priority": 2, "alarmMessage": "Pump P101 has stopped"}
request = Request(
    f"{os.environ['TOCSIN_URL']}/api/v1/alarms",
    data=json.dumps(body).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['TOCSIN_TOKEN']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as answer:
    print(json.load(answer))
