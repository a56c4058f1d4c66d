"""GET /api/v1/callgroups: the call groups."""

import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = urlencode({"limit": 100})
request = Request(
    f"{os.environ['TOCSIN_URL']}/api/v1/callgroups?{query}",
    headers={"Authorization": f"Bearer {os.environ['TOCSIN_TOKEN']}"},
)
with urlopen(request) as answer:
    page = json.load(answer)
for item in page["items"]:
    print(item["id"], item["name"], item["ackTimeout"])
print(page["paging"]["total"], "in all")
