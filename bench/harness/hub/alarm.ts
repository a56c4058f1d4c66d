const alarm = {
  id: 4711,
  dataServerId: 1,
  path: 'Valmont/Area 7/Unit 12/Pump 4711.Trip',
  fullPath: 'PLC\\Valmont/Area 7/Unit 12/Pump 4711.Trip',
  name: 'Pump 4711 tripped',
  localizedName: 'Pompe 4711 en défaut',
  value: '97',
  message: 'Pump 4711 of unit 12 tripped on high bearing temperature',
  resetMessage: 'Pump 4711 of unit 12 is back to normal',
  ackMessage: 'Pump 4711 of unit 12 was taken',
  priority: 1,
  state: 3,
  masked: false,
  alarmTime: '2026-04-29T09:07:42+02:00',
  lastChange: '2026-04-29T07:07:42',
  ackUser: '',
  attachedFile: '',
  resetAttachedFile: '',
  ackAttachedFile: '',
  comment: '',
};

const bytes = 700;
const missing = bytes - Buffer.byteLength(JSON.stringify(alarm));

/** An alarm of 700 bytes. */
export const alarmText = JSON.stringify({ ...alarm, comment: 'x'.repeat(Math.max(0, missing)) });
