import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { WebSocket } from 'ws';

export type OfficialFollower = {
  readonly seqs: number[];
  begun(): number;
  stop(): Promise<void>;
};

type Change = { seq: number };

/**
 * What comes in before the client has said anything makes the official client throw where nobody can catch it. Such a
 * socket is ended and told of instead; the client then reconnects, and what it has in the end is judged all the same.
 */
class PatientSocket extends WebSocket {
  #hasSpoken = false;

  /** The official client sends data and nothing else. */
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

/** The official client as docs/hub.md writes it: it reconnects by itself, and resumes where it was. */
export async function followOfficially(base: string, token: string): Promise<OfficialFollower> {
  const seqs: number[] = [];
  let last: number | null = null;
  let begun = 0;
  // Its constructor of sockets can be replaced, which its types do not say.
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
  // The connection may end again while it resumes; then it is resumed after the next one.
  connection.onreconnected(() => void resume().catch(() => undefined));
  await connection.start();
  await resume();
  begun = last ?? 0;
  return { seqs, begun: () => begun, stop: () => connection.stop() };
}
