# POST /api/v1/callgroups: creates a call group; the answer is its identifier.
curl -fsS "$TOCSIN_URL/api/v1/callgroups" \
  -H "Authorization: Bearer $TOCSIN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"name": "Standby", "userIds": [2, 3], "ackTimeout": 180}'
