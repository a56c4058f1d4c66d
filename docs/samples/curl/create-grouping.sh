# POST /api/v1/callgroupgroupings: creates a grouping; the answer is its identifier.
curl -fsS "$TOCSIN_URL/api/v1/callgroupgroupings" \
  -H "Authorization: Bearer $TOCSIN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"name": "Operation", "callGroupIds": [1]}'
