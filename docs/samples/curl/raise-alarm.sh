# POST /api/v1/alarms: raises an alarm; the answer is its identifier.
curl -fsS "$TOCSIN_URL/api/v1/alarms" \
  -H "Authorization: Bearer $TOCSIN_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"path": "Pump.P101", "priority": 2, "alarmMessage": "Pump P101 has stopped"}'
