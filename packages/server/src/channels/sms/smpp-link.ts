import { isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { openSocket } from '../network/connect.ts';
import {
  ConnectionFault,
  faultReasons,
  NotConnected,
  notConnectedReason,
} from '../network/connection-fault.ts';
import type { Egress } from '../network/egress.ts';
import { SmppSession, type SmppTiming, type TakeDelivery } from './smpp-session.ts';
import { bindRefusal } from './smpp-status.ts';

export type SmppAccount = {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Certificate authority in PEM; undefined for the public ones. */
  readonly certificate: string | undefined;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
};

export type LinkTiming = SmppTiming & {
  readonly connectMs: number;
  /** Delay after the first failed connection. It doubles up to the maximum. */
  readonly backOffMs: number;
  readonly maxBackOffMs: number;
};

/** Keeps one bound session to a centre, and makes a new one when it is needed. */
export type SmppLink = {
  /** The session, or a new one. Rejects with `NotConnected`; soon after a failure it does so without a try. */
  session(signal: AbortSignal): Promise<SmppSession>;
  /** Like `session`, but waits first until the next try is due. */
  patientSession(signal: AbortSignal): Promise<SmppSession>;
  close(): Promise<void>;
};

type LinkDependencies = { readonly egress: Egress; readonly timing: LinkTiming; readonly take: TakeDelivery };

export function createSmppLink(account: SmppAccount, { egress, timing, take }: LinkDependencies): SmppLink {
  let current: SmppSession | undefined;
  let binding: Promise<SmppSession> | undefined;
  let failure: { readonly error: unknown; readonly untilMs: number; readonly delayMs: number } | undefined;
  let isClosed = false;

  /** The time until the next try is due. */
  const pauseMs = () => (failure ? failure.untilMs - performance.now() : 0);

  const bindOnce = async (): Promise<SmppSession> => {
    try {
      const session = await bind(account, { egress, timing, take });
      failure = undefined;
      if (isClosed) session.destroy();
      current = session;
      return session;
    } catch (error) {
      const delayMs = Math.min(timing.maxBackOffMs, failure ? failure.delayMs * 2 : timing.backOffMs);
      failure = { error, delayMs, untilMs: performance.now() + delayMs };
      throw error;
    } finally {
      binding = undefined;
    }
  };
  const session: SmppLink['session'] = async (signal) => {
    if (isClosed) throw new NotConnected('the channel was changed');
    if (current?.isOpen === true) return current;
    if (failure && pauseMs() > 0) throw failure.error;
    binding ??= bindOnce();
    return await orLate(binding, signal);
  };
  return {
    session,
    patientSession: async (signal) => {
      // On a busy machine a timer may fire some milliseconds early.
      for (let waitMs = pauseMs(); waitMs > 0; waitMs = pauseMs())
        await sleep(Math.ceil(waitMs), undefined, { signal });
      return await session(signal);
    },
    close: async () => {
      isClosed = true;
      await current?.close();
    },
  };
}

/** Stops waiting when the signal aborts. Others may still be waiting for the same session. */
function orLate(binding: Promise<SmppSession>, signal: AbortSignal): Promise<SmppSession> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new NotConnected(faultReasons.late));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    binding.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

async function bind(account: SmppAccount, { egress, timing, take }: LinkDependencies): Promise<SmppSession> {
  const { host, port, systemId, password, systemType } = account;
  const socket = await openSocket(egress, { host, port, timeoutMs: timing.connectMs });
  const session = new SmppSession(
    account.tls ? await encrypt(socket, account, timing.connectMs) : socket,
    timing,
    take,
  );
  const response = await session.request('bind_transceiver', {
    system_id: systemId,
    password,
    system_type: systemType,
    interface_version: 0x34,
  });
  if (response.kind === 'response' && response.status === 0) return session;
  session.destroy();
  if (response.kind === 'response') throw new NotConnected(bindRefusal(response.status));
  throw new NotConnected(response.kind === 'late' ? faultReasons.late : faultReasons.noServer);
}

function encrypt(socket: Socket, { host, certificate }: SmppAccount, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(certificate !== undefined && { ca: certificate }),
    });
    const fail = (error: Error) => {
      socket.destroy();
      secured.destroy();
      reject(error instanceof ConnectionFault ? error : new NotConnected(notConnectedReason(error), error));
    };
    socket.on('error', fail);
    secured.setTimeout(timeoutMs, () => fail(new NotConnected(faultReasons.late)));
    secured.once('error', fail);
    secured.once('secureConnect', () => {
      secured.removeListener('error', fail);
      secured.setTimeout(0);
      resolve(secured);
    });
  });
}
