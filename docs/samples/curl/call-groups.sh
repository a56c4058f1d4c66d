# POST /api/v1/call/groups: calls everybody in a call group; true: the call is stored for all.
curl -fsS "$TOCSIN_URL/api/v1/call/groups" \
  -H "Authorization: Bearer $TOCSIN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"callGroupIds": [1], "msgText": "Please come to the control room"}'
