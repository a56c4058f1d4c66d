"""GET /api/v1/alarms/statistics: how often each tag failed, and for how long."""

import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = urlencode({"from": "2026-01-01", "to": "2027-01-01", "limit": 20})
request = Request(
    f"{os.environ['TOCSIN_URL']}/api/v1/alarms/statistics?{query}",
    headers={"Authorization": f"Bearer {os.environ['TOCSIN_TOKEN']}"},
)
with urlopen(request) as answer:
    page = json.load(answer)
for item in page["items"]:
    print(item["tagName"], item["failureNumber"], item["failureTotalTime"])
print(page["paging"]["total"], "in all")
