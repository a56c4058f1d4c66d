# GET /api/v1/alarms/statistics: how often each tag failed, and for how long.
curl -fsS "$TOCSIN_URL/api/v1/alarms/statistics?from=2026-01-01&to=2027-01-01&limit=20" \
  -H "Authorization: Bearer $TOCSIN_TOKEN"
