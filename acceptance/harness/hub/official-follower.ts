import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { WebSocket } from 'ws';

export type OfficialFollower = {
  readonly seqs: number[];
  begun(): number;
  stop(): Promise<void>;
};

type Change = { seq: number };

/**
 * A message before the handshake makes the official client throw an error that cannot be caught. Such a socket is
 * terminated and reported instead; the client then reconnects, and its final state is checked all the same.
 */
class PatientSocket extends WebSocket {
  #hasSpoken = false;

  /** The official client passes only data. */
  override send(data: string | Buffer): void {
    this.#hasSpoken = true;
    super.send(data);
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'message' && !this.#hasSpoken) {
      console.warn(`before the handshake came ${String(args[0]).slice(0, 200)}`);
      this.terminate();
      return true;
    }
    return super.emit(event, ...args);
  }
}

/** The official client as in docs/hub.md: it reconnects by itself and resumes at its position. */
export async function followOfficially(base: string, token: string): Promise<OfficialFollower> {
  const seqs: number[] = [];
  let last: number | null = null;
  let begun = 0;
  // The option WebSocket exists, but is missing in the types.
  const options = { accessTokenFactory: () => token, WebSocket: PatientSocket };
  const connection = new HubConnectionBuilder()
    .withUrl(`${base}/alarmHub`, options)
    .withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => 500 })
    .configureLogging(LogLevel.None)
    .build();
  connection.on('onAlarm', () => undefined);
  connection.on('onAlarmChanged', ({ seq }: Change) => {
    seqs.push(seq);
    last = seq;
  });
  const resume = async () => {
    const { seq } = await connection.invoke<Change>('resume', last);
    last ??= seq;
  };
  // If the connection ends while it resumes, it resumes after the next reconnection.
  connection.onreconnected(() => void resume().catch(() => undefined));
  await connection.start();
  await resume();
  begun = last ?? 0;
  return { seqs, begun: () => begun, stop: () => connection.stop() };
}
