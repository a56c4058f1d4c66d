import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { encodeText } from './alphabet.ts';
import { CentreSession } from './centre-session.ts';
import {
  type Behaviour,
  type BoundSession,
  type CentreState,
  centreAccount,
  type Taken,
} from './centre-state.ts';
import { cString, type Delivery, tlv } from './pdu.ts';
import { type ReceivedPart, textsIn, untilTexts } from './sms-texts.ts';

/** A simulated SMS centre on real sockets of the loopback interface. */
export type SmsCentre = {
  readonly port: number;
  readonly account: { readonly systemId: string; readonly password: string };
  /** Every message that was received, also those that were refused or not answered. */
  readonly received: Taken[];
  /** The number of binds so far, and of the sessions that are bound now. */
  binds(): number;
  bound(): number;
  /** Every `generic_nack` of the client. */
  refusals(): { sequence: number; status: number }[];
  /** Counts `enquire_link` from the client. */
  enquiries(): number;
  /** Sets the behaviour for a number without its plus sign; without a number for all others. */
  behave(behaviour: Behaviour, to?: string): void;
  /** The texts for a number, with their parts joined. Waits until there are `count`. */
  textsFor(to: string, count?: number): Promise<string[]>;
  /** Delivers to the client, and resolves to the status of its response. */
  deliver(delivery: Delivery): Promise<number>;
  reply(from: string, text: string): Promise<number>;
  /** Reports on a message: by text and TLVs, or by text only. */
  receipt(id: string, state: 'DELIVRD' | 'UNDELIV', form?: 'tlv' | 'text'): Promise<number>;
  /** Writes bytes to every bound session. */
  send(bytes: Buffer): void;
  /** Ends every connection without a word. */
  cut(): void;
  stop(): Promise<void>;
};

/** What stories need of a centre, ours or that of others. */
export type StoryCentre = Pick<
  SmsCentre,
  'port' | 'account' | 'binds' | 'bound' | 'behave' | 'textsFor' | 'reply' | 'send' | 'cut' | 'stop'
> & { readonly received: readonly ReceivedPart[] };

const ownNumber = '+33700000001';

export async function startSmsCentre(identity?: { key: string; cert: string }): Promise<SmsCentre> {
  const sockets = new Set<Socket>();
  const sessions = new Set<BoundSession>();
  const state: CentreState = {
    received: [],
    behaviours: new Map(),
    sessions,
    refusals: [],
    counts: { binds: 0, enquiries: 0, ids: 0 },
    receiptFor: (id, outcome) => void receipt(id, outcome).catch(() => undefined),
  };
  const welcome = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    sessions.add(new CentreSession(socket, state));
  };
  const server = identity ? createTlsServer(identity, welcome) : createServer(welcome);
  const port = await listen(server);
  const bound = () => [...sessions].filter(({ isBound }) => isBound);
  const deliver: SmsCentre['deliver'] = async (delivery) => {
    const session = bound().at(-1);
    if (!session) throw new Error('no client is bound');
    return await session.deliver(delivery);
  };
  const receipt: SmsCentre['receipt'] = (id, outcome, form = 'tlv') => deliver(receiptOf(id, outcome, form));
  return {
    port,
    account: centreAccount,
    received: state.received,
    binds: () => state.counts.binds,
    bound: () => bound().length,
    refusals: () => state.refusals,
    enquiries: () => state.counts.enquiries,
    behave: (behaviour, to = '') => void state.behaviours.set(to, behaviour),
    textsFor: (to, count = 1) => untilTexts(() => textsIn(state.received, to), count),
    deliver,
    reply: (from, text) => deliver({ from, to: ownNumber, content: encodeText(text) }),
    receipt,
    send: (bytes) => {
      for (const session of bound()) session.write(bytes);
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

function receiptOf(id: string, state: 'DELIVRD' | 'UNDELIV', form: 'tlv' | 'text'): Delivery {
  const isDelivered = state === 'DELIVRD';
  const times = 'submit date:2611160000 done date:2611160001';
  const text = `id:${id} sub:001 dlvrd:00${isDelivered ? 1 : 0} ${times} stat:${state} err:${isDelivered ? '000' : '027'} text:`;
  const tlvs = [tlv(0x001e, cString(id)), tlv(0x0427, Buffer.from([isDelivered ? 2 : 5]))];
  return {
    from: '+33600000000',
    to: ownNumber,
    esmClass: 4,
    content: Buffer.from(text, 'latin1'),
    tlvs: form === 'tlv' ? tlvs : [],
  };
}
