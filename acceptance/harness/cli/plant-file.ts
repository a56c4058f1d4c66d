/** A plant with every section and this many tags. */
export function plantFile(tagCount: number): string {
  const groups = ['Intake', 'Filters', 'High lift'];
  const tags = Array.from({ length: tagCount }, (_, index) => {
    const members = [
      `path: Area${index % 50}.T${index}.H`,
      'dataServer: SCADA',
      'station: North',
      `tagGroup: ${groups[index % 3]}`,
      `priority: ${(index % 3) + 1}`,
      `delay: ${index % 60}`,
      ...(index % 10 === 0 ? ['scenario: Flood'] : []),
      `message: "Level ${index} high; act, please"`,
      ...(index % 4 === 0 ? [`resetMessage: "=Level ${index} normal"`] : []),
    ];
    return `  - { ${members.join(', ')} }`;
  });
  return `${frame}\ntags:\n${tags.join('\n')}\n`;
}

const frame = `# The waterworks of the town.
stations:
  - name: North
    timeZone: Europe/Berlin
  - name: South
dataServers:
  - name: SCADA
    station: North
channels:
  - name: Mail
    kind: email
    settings:
      host: 127.0.0.1
      from: alarms@example.org
      user: alarms
      password: { secretFile: mail.password }
people:
  - username: Anna
    name: Anna Weber
    role: operator
    stations: [North, South]
    language: de
    passwordFile: anna.password
    media:
      - { kind: Voice, address: "+49 (170) 123-4567" }
      - { kind: Email, address: anna@example.org, enabled: false }
  - username: ben
    role: engineer
    media: [{ kind: Sms, address: "0170 7654321" }]
groupings:
  - { name: Night crew, parent: Operation }
  - name: Operation
callGroups:
  - name: Standby
    station: North
    people: [anna, ben]
    ackTimeout: 90
    relief: Managers
    grouping: Night crew
    teams:
      - { name: Weekdays, people: [Anna] }
      - { name: Weekend, people: [ben, Anna] }
    roster:
      slotMinutes: 30
      rotation: { weeks: 2, start: "2026-01-05" }
      holidays: [{ date: "2026-12-25", name: Christmas }]
      slots:
        - { team: Weekend, day: 6, start: "00:00", end: "24:00" }
        - { team: Weekdays, day: 1, start: "08:30", end: "16:00", week: 2 }
  - name: Managers
    mode: Broadcast
    people: [ben]
scenarios:
  - name: Flood
    station: North
    alarmActions:
      - { type: CallGroup, callGroup: Standby }
      - { type: CallUser, person: anna, parameter: now }
    resetActions:
      - { type: PlaySound, parameter: reset.wav, flags: 1 }
tagGroups:
  - { name: High lift, parent: Intake, autoAcknowledge: true }
  - { name: Intake, station: North, scenario: Flood }
  - name: Filters
`;
