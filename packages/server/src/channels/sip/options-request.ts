import { createSocket } from 'node:dgram';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { openSocket } from '../network/connect.ts';
import type { Egress } from '../network/egress.ts';
import type { Health } from '../port/channel.ts';
import { hostAndPort } from './dialled-number.ts';
import type { Trunk } from './sip-settings.ts';
import type { TrunkAddress } from './trunk-address.ts';

/** UDP may lose a packet. */
const repeatAfterMs = [0, 500, 1_500];
const answerMs = 4_000;
const maxAnswerBytes = 16_384;
const noAnswer: Health = { works: false, reason: 'the telephone system does not answer' };

/**
 * Asks the trunk for its options. Every answer shows that it works, even a refusal, except that it is out of service.
 * The address was checked by the egress guard.
 */
export async function askForOptions(
  egress: Egress,
  trunk: Trunk,
  { address, signal }: { address: TrunkAddress; signal: AbortSignal },
): Promise<Health> {
  const tooLate = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  // An aborted signal fires no event any more, so nobody would stop waiting.
  if (tooLate.aborted) return noAnswer;
  const status =
    trunk.transport === 'udp'
      ? await askByPackets(trunk, address, tooLate)
      : await askByStream(egress, trunk, { remote: address.remote, tooLate });
  if (status === undefined) return noAnswer;
  if (status === 503) return { works: false, reason: 'the telephone system is out of service (SIP 503)' };
  return { works: true };
}

function askByPackets(
  trunk: Trunk,
  { remote, local }: TrunkAddress,
  tooLate: AbortSignal,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const timers: NodeJS.Timeout[] = [];
    const end = (status: number | undefined) => {
      for (const timer of timers) clearTimeout(timer);
      tooLate.removeEventListener('abort', giveUp);
      socket.close();
      resolve(status);
    };
    const giveUp = () => end(undefined);
    tooLate.addEventListener('abort', giveUp, { once: true });
    // A closed port answers with an ICMP error, which is no answer of the trunk.
    socket.on('error', () => {});
    socket.on('message', (packet) => {
      const status = statusIn(packet.toString('latin1'));
      if (status !== undefined) end(status);
    });
    socket.bind(0, local, () => {
      // A socket that was closed meanwhile would throw.
      if (tooLate.aborted) return;
      socket.connect(trunk.port, remote, () => {
        if (tooLate.aborted) return;
        const request = optionsRequest(trunk, `${local}:${socket.address().port}`);
        for (const ms of repeatAfterMs) timers.push(setTimeout(() => socket.send(request, () => {}), ms));
      });
    });
  });
}

async function askByStream(
  egress: Egress,
  trunk: Trunk,
  { remote, tooLate }: { remote: string; tooLate: AbortSignal },
): Promise<number | undefined> {
  const plain = await openSocket(egress, { host: remote, port: trunk.port, timeoutMs: answerMs });
  const socket = trunk.transport === 'tls' ? secured(plain, trunk) : plain;
  return new Promise((resolve, reject) => {
    let answer = '';
    const giveUp = () => socket.destroy();
    if (tooLate.aborted) giveUp();
    tooLate.addEventListener('abort', giveUp, { once: true });
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (statusIn(answer) !== undefined || answer.length > maxAnswerBytes) socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      tooLate.removeEventListener('abort', giveUp);
      resolve(statusIn(answer));
    });
    socket.write(optionsRequest(trunk, `${plain.localAddress}:${plain.localPort}`));
  });
}

function secured(socket: Socket, { host, certificate }: Trunk): TLSSocket {
  const name = isIP(host) === 0 ? { servername: host } : { host };
  return connectTls({ socket, ...name, ...(certificate !== undefined && { ca: certificate }) });
}

function statusIn(text: string): number | undefined {
  const [, code] = /^SIP\/2\.0 ([2-6]\d\d) /m.exec(text) ?? [];
  return code === undefined ? undefined : Number(code);
}

function optionsRequest(trunk: Trunk, local: string): string {
  const host = hostAndPort(trunk);
  const id = crypto.randomUUID();
  const lines = [
    `OPTIONS sip:${host} SIP/2.0`,
    `Via: SIP/2.0/${trunk.transport.toUpperCase()} ${local};branch=z9hG4bK${id};rport`,
    'Max-Forwards: 70',
    `To: <sip:${host}>`,
    `From: <sip:${trunk.callerId}@${host}>;tag=${id.slice(0, 8)}`,
    `Call-ID: ${id}`,
    'CSeq: 1 OPTIONS',
    `Contact: <sip:${trunk.callerId}@${local};transport=${trunk.transport}>`,
    'Accept: application/sdp',
    'Content-Length: 0',
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
