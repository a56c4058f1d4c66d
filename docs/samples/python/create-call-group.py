"""POST /api/v1/callgroups: creates a call group; the answer is its identifier."""

import json
import os
from urllib.request import Request, urlopen

body = {"name": "Standby", "userIds": [2, 3], "ackTimeout": 180}
request = Request(
    f"{os.environ['TOCSIN_URL']}/api/v1/callgroups",
    data=json.dumps(body).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['TOCSIN_TOKEN']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as answer:
    print(json.load(answer))
