"""GET /api/v1/call/histories: each attempt to reach somebody, newest first."""

import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = urlencode({"limit": 20})
request = Request(
    f"{os.environ['TOCSIN_URL']}/api/v1/call/histories?{query}",
    headers={"Authorization": f"Bearer {os.environ['TOCSIN_TOKEN']}"},
)
with urlopen(request) as answer:
    page = json.load(answer)
for item in page["items"]:
    print(item["startTime"], item["user"], item["medium"], item["status"])
print(page["paging"]["total"], "in all")
