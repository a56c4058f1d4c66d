# GET /api/v1/callgroups: the call groups.
curl -fsS "$TOCSIN_URL/api/v1/callgroups?limit=100" \
  -H "Authorization: Bearer $TOCSIN_TOKEN"
