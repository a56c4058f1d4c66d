# GET /api/v1/callgroupgroupings: the groupings of call groups.
curl -fsS "$TOCSIN_URL/api/v1/callgroupgroupings?limit=100" \
  -H "Authorization: Bearer $TOCSIN_TOKEN"
