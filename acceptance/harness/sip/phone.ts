import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BaresipEvent, controlBaresip } from './baresip-control.ts';
import { freePortBlock } from './sip-ports.ts';

export type PhoneSettings = {
  number: string;
  /** Answers by itself after this time; by default at once. `never` lets it ring. */
  answersAfterMs?: number | 'never';
  /** Pressed one after the other, so long after each start of the call. */
  keys?: readonly { key: string; afterMs: number }[];
  /** A certificate with its key, in one file: the phone then takes TLS on `tlsPort`, and only SRTP. */
  certificateFile?: string;
};

/** A telephone: a baresip that answers, records what it hears, and presses keys. */
export type Phone = {
  readonly number: string;
  readonly port: number;
  readonly tlsPort: number;
  readonly events: readonly BaresipEvent[];
  press(keys: string): Promise<void>;
  hangUp(): Promise<void>;
  /** Waits for the nth event of a type. */
  until(type: string, count?: number, withinMs?: number): Promise<void>;
  /** The recordings of what was heard, one for each call that was answered. Complete when the call has ended. */
  recordings(): Promise<string[]>;
  /** Ends without a word to the other side, as a phone that loses its network. */
  die(): Promise<void>;
  stop(): Promise<void>;
};

export async function startPhone(settings: PhoneSettings): Promise<Phone> {
  const { number, answersAfterMs = 0, keys = [] } = settings;
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-phone-'));
  const heard = join(folder, 'heard');
  await mkdir(heard);
  const port = await freePortBlock();
  await writePhone(folder, { ...settings, port });
  const child = spawn('baresip', ['-f', folder], { stdio: 'ignore' });
  const events: BaresipEvent[] = [];
  const control = await controlBaresip(port + 6, (event) => {
    events.push(event);
    if (event.type === 'CALL_INCOMING' && answersAfterMs !== 'never')
      setTimeout(() => void control.command('accept'), answersAfterMs);
    if (event.type === 'CALL_ESTABLISHED')
      for (const { key, afterMs } of keys) setTimeout(() => void control.command('sndcode', key), afterMs);
  });
  const die = async () => {
    control.close();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    number,
    port,
    tlsPort: port + 1,
    events,
    press: async (pressed) => {
      for (const key of pressed) {
        await control.command('sndcode', key);
        await sleep(250);
      }
    },
    hangUp: () => control.command('hangup'),
    until: (type, count, withinMs) => untilEvent(events, { type, count, withinMs, number }),
    recordings: async () => {
      const files = (await readdir(heard)).filter((name) => name.endsWith('-dec.wav'));
      return files.toSorted().map((name) => join(heard, name));
    },
    die,
    stop: async () => {
      await die();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilEvent(
  events: readonly BaresipEvent[],
  {
    type,
    count = 1,
    withinMs = 10_000,
    number,
  }: { type: string; count?: number | undefined; withinMs?: number | undefined; number: string },
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (events.filter((event) => event.type === type).length < count) {
    if (performance.now() > deadline) {
      const seen = events.map((event) => `${event.type} ${event.param ?? ''}`).join('\n');
      throw new Error(`the phone ${number} has seen no ${type}:\n${seen}`);
    }
    await sleep(20);
  }
}

async function writePhone(
  folder: string,
  { number, port, certificateFile }: PhoneSettings & { port: number },
): Promise<void> {
  const lines = [
    'poll_method epoll',
    `sip_listen 127.0.0.1:${port}`,
    'net_interface 127.0.0.1',
    'call_max_calls 1',
    `audio_source aufile,${join(folder, 'silence.wav')}`,
    'audio_level no',
    `rtp_ports ${port + 2}-${port + 5}`,
    'rtp_timeout 20',
    'statmode_default off',
    'ringback_disabled yes',
    'module_path /usr/lib/baresip/modules',
    'module g711.so',
    'module aufile.so',
    'module sndfile.so',
    `snd_path ${join(folder, 'heard')}`,
    ...(certificateFile === undefined ? [] : ['module srtp.so', `sip_certificate ${certificateFile}`]),
    'module_tmp account.so',
    'module_app menu.so',
    'module_app ctrl_tcp.so',
    `ctrl_tcp_listen 127.0.0.1:${port + 6}`,
  ];
  const secured = certificateFile === undefined ? '' : ';mediaenc=srtp-mand';
  const account = `<sip:${number}@127.0.0.1:${port}>;regint=0;answermode=manual;audio_codecs=PCMA/8000/1${secured}`;
  await writeFile(join(folder, 'silence.wav'), silence(120));
  await writeFile(join(folder, 'config'), `${lines.join('\n')}\n`);
  await writeFile(join(folder, 'accounts'), `${account}\n`);
  await writeFile(join(folder, 'contacts'), '');
  await writeFile(join(folder, 'uuid'), `${crypto.randomUUID()}\n`);
}

/** Mono, 8 kHz, 16 bit. baresip hangs up at its end. */
function silence(seconds: number): Buffer {
  const bytes = seconds * 16_000;
  const format = [0x46464952, 36 + bytes, 0x45564157, 0x20746d66, 16, 0x00010001, 8_000, 16_000, 0x00100002];
  const file = Buffer.alloc(44 + bytes);
  [...format, 0x61746164, bytes].forEach((value, place) => void file.writeUInt32LE(value, place * 4));
  return file;
}
