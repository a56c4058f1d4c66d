"""POST /api/v1/call/groups: calls everybody in a call group; true: the call is stored for all."""

import json
import os
from urllib.request import Request, urlopen

body = {"callGroupIds": [1], "msgText": "Please come to the control room"}
request = Request(
    f"{os.environ['TOCSIN_URL']}/api/v1/call/groups",
    data=json.dumps(body).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['TOCSIN_TOKEN']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as answer:
    print(json.load(answer))
