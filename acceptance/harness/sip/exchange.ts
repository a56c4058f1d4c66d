import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';

/** A trunk: passes calls on to the phones of its numbers. It speaks UDP and relays packets, so every call has its own socket. */
export type Exchange = {
  readonly port: number;
  /** Passes calls for a number to a phone of this machine. */
  connect(number: string, phonePort: number): void;
  /** The number of calls placed to a number, repeated packets not counted. */
  callsTo(number: string): number;
  /** Takes every packet and answers none, as a trunk behind a broken network, until it is told otherwise. */
  setSilent(isSilent: boolean): void;
  /** The INVITE packets that it did not answer, repeated ones included, with their times by `performance.now()`. */
  readonly unanswered: readonly { callId: string; number: string; atMs: number }[];
  stop(): Promise<void>;
};

export async function startExchange(port = 0): Promise<Exchange> {
  const front = createSocket('udp4');
  await new Promise<void>((resolve) => void front.bind(port, '127.0.0.1', resolve));
  const phones = new Map<string, number>();
  const callers = new Map<string, Socket>();
  const dialled = new Map<string, string>();
  const unanswered: { callId: string; number: string; atMs: number }[] = [];
  let isSilent = false;

  const relayFor = (from: RemoteInfo): Socket => {
    const key = `${from.address}:${from.port}`;
    const known = callers.get(key);
    if (known) return known;
    const relay = createSocket('udp4');
    relay.on('error', () => {});
    relay.on('message', (packet) => front.send(packet, from.port, from.address));
    callers.set(key, relay);
    return relay;
  };
  front.on('error', () => {});
  front.on('message', (packet, from) => {
    const text = packet.toString('latin1');
    const callId = /^Call-ID: *(.+)\r$/im.exec(text)?.[1] ?? '';
    if (isSilent) {
      if (text.startsWith('INVITE'))
        unanswered.push({ callId, number: numberIn(text), atMs: performance.now() });
      return;
    }
    if (text.startsWith('OPTIONS')) return front.send(reply(text, '200 OK'), from.port, from.address);
    const number = dialled.get(callId) ?? numberIn(text);
    const phone = phones.get(number);
    if (phone === undefined) {
      if (text.startsWith('INVITE')) front.send(reply(text, '404 Not Found'), from.port, from.address);
      return;
    }
    dialled.set(callId, number);
    relayFor(from).send(packet, phone, '127.0.0.1');
  });
  return {
    port: front.address().port,
    connect: (number, phonePort) => void phones.set(number, phonePort),
    setSilent: (shouldBeSilent) => {
      isSilent = shouldBeSilent;
    },
    unanswered,
    callsTo: (number) => [...dialled.values()].filter((each) => each === number).length,
    stop: async () => {
      for (const socket of [front, ...callers.values()]) socket.close();
    },
  };
}

/** The user of the first line: `INVITE sip:+331@host SIP/2.0`. */
function numberIn(text: string): string {
  return decodeURIComponent(/^[A-Z]+ sips?:([^@;> ]+)@/.exec(text)?.[1] ?? '');
}

function reply(request: string, status: string): string {
  const kept = request
    .split('\r\n')
    .filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line))
    .map((line) => (/^To:/i.test(line) && !line.includes(';tag=') ? `${line};tag=exchange` : line));
  return `${[`SIP/2.0 ${status}`, ...kept, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`;
}
