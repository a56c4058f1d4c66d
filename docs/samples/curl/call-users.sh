# POST /api/v1/call/users: calls two people; true: the call is stored for both.
curl -fsS "$TOCSIN_URL/api/v1/call/users" \
  -H "Authorization: Bearer $TOCSIN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"userIds": [2, 3], "msgText": "Please call the control room"}'
