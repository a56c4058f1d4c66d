"""GET /api/v1/alarms: the current alarms, newest first."""

import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = urlencode({"sort": "-id", "limit": 20})
request = Request(
    f"{os.environ['TOCSIN_URL']}/api/v1/alarms?{query}",
    headers={"Authorization": f"Bearer {os.environ['TOCSIN_TOKEN']}"},
)
with urlopen(request) as answer:
    page = json.load(answer)
for item in page["items"]:
    print(item["id"], item["fullPath"], item["message"])
print(page["paging"]["total"], "in all")
