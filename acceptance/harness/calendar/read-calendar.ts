import { execFile } from 'node:child_process';

/** An event as a program that is not ours has read it. Times are in epoch milliseconds. */
export type ReadEvent = {
  readonly uid: string;
  readonly from: number;
  readonly to: number;
  readonly summary: string;
  readonly description: string;
};

const program = `
import json, sys
from icalendar import Calendar
calendar = Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps([{
  'uid': str(event['uid']),
  'from': event['dtstart'].dt.timestamp() * 1000,
  'to': event['dtend'].dt.timestamp() * 1000,
  'summary': str(event['summary']),
  'description': str(event['description']),
} for event in calendar.walk('vevent')]))
`;

/** Reads a calendar with the package python3-icalendar of Debian. */
export function readCalendar(text: string): Promise<ReadEvent[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      '/usr/bin/python3',
      ['-c', program],
      { maxBuffer: 64 * 1_024 * 1_024 },
      (error, stdout) =>
        error
          ? reject(new Error(`install python3-icalendar: ${error.message}`))
          : resolve(JSON.parse(stdout) as ReadEvent[]),
    );
    child.stdin?.end(text);
  });
}
