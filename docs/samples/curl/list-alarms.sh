# GET /api/v1/alarms: the current alarms, newest first.
curl -fsS "$TOCSIN_URL/api/v1/alarms?sort=-id&limit=20" \
  -H "Authorization: Bearer $TOCSIN_TOKEN"
