# GET /api/v1/alarms/interventions: how fast people acknowledged and repaired.
curl -fsS "$TOCSIN_URL/api/v1/alarms/interventions?from=2026-01-01&to=2027-01-01&limit=20" \
  -H "Authorization: Bearer $TOCSIN_TOKEN"
