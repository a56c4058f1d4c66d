"""POST /api/v1/callgroupgroupings: creates a grouping; the answer is its identifier."""

import json
import os
from urllib.request import Request, urlopen

body = {"name": "Operation", "callGroupIds": [1]}
request = Request(
    f"{os.environ['TOCSIN_URL']}/api/v1/callgroupgroupings",
    data=json.dumps(body).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['TOCSIN_TOKEN']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as answer:
    print(json.load(answer))
