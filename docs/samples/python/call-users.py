"""POST /api/v1/call/users: calls two people; true: the call is stored for both."""

import json
import os
from urllib.request import Request, urlopen

body = {"userIds": [2, 3], "msgText": "Please call the control room"}
request = Request(
    f"{os.environ['TOCSIN_URL']}/api/v1/call/users",
    data=json.dumps(body).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['TOCSIN_TOKEN']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as answer:
    print(json.load(answer))
