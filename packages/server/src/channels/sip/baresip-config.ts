import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostAndPort } from './dialled-number.ts';
import type { PortBlock } from './port-blocks.ts';
import { settingPatterns, type Trunk } from './sip-settings.ts';
import type { TrunkAddress } from './trunk-address.ts';

/** Without a packet from the phone for this time the call is lost. A phone may send nothing while its owner is silent. */
const rtpTimeoutSeconds = 40;
const registrationSeconds = 60;
const modulePath = '/usr/lib/baresip/modules';

export type WorkerFiles = {
  readonly trunk: Trunk;
  readonly address: TrunkAddress;
  readonly ports: PortBlock;
  /** Played until the first prompt. */
  readonly silence: string;
};

/** Writes the folder of one baresip process. It holds the password of the trunk, so only this user may read it. */
export async function writeWorkerFiles(directory: string, files: WorkerFiles): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
  const contents = {
    config: configOf(files),
    accounts: accountOf(files.trunk, files.address),
    contacts: '',
    // baresip writes a random one if it is missing.
    uuid: `${crypto.randomUUID()}\n`,
  };
  await Promise.all(
    Object.entries(contents).map(([name, text]) => writeFile(join(directory, name), text, { mode: 0o600 })),
  );
}

export function configOf({ trunk, address: { local }, ports, silence }: WorkerFiles): string {
  const lines = [
    'poll_method epoll',
    // baresip also listens on the next port, for TLS.
    `sip_listen ${local}:${ports.sip}`,
    // baresip refuses the name `lo`, and accepts an address.
    `net_interface ${local}`,
    'call_max_calls 1',
    `audio_source aufile,${silence}`,
    'audio_level no',
    `rtp_ports ${ports.rtp}-${ports.rtp + 3}`,
    `rtp_timeout ${rtpTimeoutSeconds}`,
    'statmode_default off',
    'ringback_disabled yes',
    `module_path ${modulePath}`,
    'module g711.so',
    'module aufile.so',
    ...(trunk.mediaEncryption === 'srtp' ? ['module srtp.so'] : []),
    'module_tmp account.so',
    'module_app menu.so',
    // Shows the state of the transactions.
    'module_app debug_cmd.so',
    'module_app ctrl_tcp.so',
    `ctrl_tcp_listen 127.0.0.1:${ports.control}`,
  ];
  return `${lines.map(oneLine).join('\n')}\n`;
}

export function accountOf(trunk: Trunk, { remote }: TrunkAddress): string {
  const { transport, user, password } = trunk;
  // A log-in names the user; the telephone system then knows which number to show.
  const caller = trunk.registers && user !== '' ? (user.split('@')[0] ?? '') : trunk.callerId;
  const identity = `<sip:${text('callerId', caller)}@${text('host', hostAndPort(trunk))};transport=${transport}>`;
  const parameters = [
    `regint=${trunk.registers ? registrationSeconds : 0}`,
    'answermode=manual',
    `audio_codecs=${trunk.codecs.map((codec) => `${codec}/8000/1`).join(',')}`,
    `outbound="sip:${remote}:${trunk.port};transport=${transport}"`,
    ...(trunk.mediaEncryption === 'srtp' ? ['mediaenc=srtp-mand'] : []),
    ...(user === '' || password === ''
      ? []
      : [`auth_user=${text('user', user)}`, `auth_pass=${text('password', password)}`]),
  ];
  return `${oneLine([identity, ...parameters].join(';'))}\n`;
}

/** Throws if a value is not what its setting allows: the schema was checked long ago, perhaps by another release. */
function text(setting: keyof typeof settingPatterns, value: string): string {
  const pattern =
    setting === 'host' ? /^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/ : new RegExp(settingPatterns[setting]);
  if (!pattern.test(value) || /[\s;<>"]/.test(value))
    throw new Error(`the setting ${setting} has characters that baresip would misread`);
  return value;
}

function oneLine(line: string): string {
  if (/[\r\n\0]/.test(line)) throw new Error('a line of the configuration has a line break');
  return line;
}
