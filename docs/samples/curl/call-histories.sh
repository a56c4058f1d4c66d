# GET /api/v1/call/histories: each attempt to reach somebody, newest first.
curl -fsS "$TOCSIN_URL/api/v1/call/histories?limit=20" \
  -H "Authorization: Bearer $TOCSIN_TOKEN"
