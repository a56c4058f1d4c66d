export const eventCondition = { value: '1', transitory: true, reactivatable: true, resettable: false };

export const beacon = {
  id: 'beacon-17',
  name: 'Gate 3',
  type: 'Nfc',
  accuracy: 1.25,
  date: '2026-04-29T09:07:40+02:00',
};

const location = {
  latitude: 48.8566,
  longitude: -2.3522,
  horizontalAccuracy: 4.5,
  altitude: 35.25,
  verticalAccuracy: 3.75,
  date: '2026-04-29T09:07:42+02:00',
  beaconList: [beacon, { id: 'beacon-18' }],
  zone: 'Hall 4',
};

/** Each member of the tables in §2.6, except references to other records of the plant. */
export const fullAlarm = {
  path: 'Hall 4/Lone worker',
  raised: true,
  priority: 2,
  temporary: true,
  eventCondition,
  value: '1',
  location,
  alarmDelay: 45,
  alarmMessage: 'Man down',
  alarmFormat: '{name}: {message}',
  alarmShortMessage: '4711',
  alarmVocalMessageFile: 'mandown.wav',
  alarmAttachedFile: 'map.pdf',
  resetMessage: 'All is well',
  resetFormat: 'reset {name}',
  resetShortMessage: '4712',
  resetVocalMessageFile: 'well.wav',
  resetAttachedFile: 'reset.pdf',
  ackMessage: 'Help is coming',
  ackFormat: 'ack {name}',
  ackShortMessage: '4713',
  ackVocalMessageFile: 'coming.wav',
  ackAttachedFile: 'ack.pdf',
};
