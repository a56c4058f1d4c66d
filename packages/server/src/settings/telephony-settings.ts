import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';

/** The settings of telephone calls. */
export const telephonySettings = {
  callFolder: Type.Optional(
    Type.String({
      pattern: '^/[A-Za-z0-9/._-]+$',
      mustBe: 'the full path of a folder without spaces, such as /run/tocsin/calls',
      description:
        'Folder for the files of telephone calls while they last; by default one in the folder for temporary files.',
    }),
  ),
  sipPorts: Type.String({
    pattern: '^[0-9]{4,5}-[0-9]{4,5}$',
    default: '16000-23999',
    mustBe: 'two ports such as 16000-23999, with at least 8 from the first to the last',
    description: 'UDP and TCP ports of telephone calls, eight for each call at once.',
  }),
};

/** A call needs eight ports. */
const portsPerCall = 8;
const maxPort = 65_535;

export function portRange(sipPorts: string): { first: number; last: number } {
  const [first = 0, last = 0] = sipPorts.split('-').map(Number);
  return { first, last };
}

export function telephonyFaults({ sipPorts }: { sipPorts: string }): string[] {
  const { first, last } = portRange(sipPorts);
  const isRange = first >= 1_024 && last <= maxPort && last - first + 1 >= portsPerCall;
  return isRange
    ? []
    : [`SIP_PORTS is "${sipPorts}": it must be two ports from 1024 to 65535, at least 8 of them`];
}

/** The folder of calls. Each user of the machine has their own. */
export function callFolderOf({ callFolder }: { callFolder?: string | undefined }): string {
  return callFolder ?? join(tmpdir(), `tocsin-calls-${process.getuid?.() ?? 0}`);
}
