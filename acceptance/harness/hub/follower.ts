import { LeanSocket } from './lean-socket.ts';

export type FollowerSettings = {
  /** Ports of the servers; after each loss the next one is tried. */
  ports: readonly number[];
  token: string;
  family: 'core' | 'classic';
};

const changeMark = Buffer.from('[{"seq":');
const completionMark = Buffer.from('"type":3');
const closeMark = Buffer.from('"type":7');
const retryMs = 400;

/**
 * A client that follows the journal of its tenant by the `seq` of `onAlarmChanged` and reconnects whenever its
 * connection ends: a Core client by `resume`, a classic one by its cursor. It records every gap and repetition.
 */
export class Follower {
  readonly #settings: FollowerSettings;
  /** The last journal entry before it began; it must receive all later ones. */
  begun = -1;
  last = -1;
  isLive = false;
  reconnects = 0;
  readonly faults: string[] = [];
  /** The close messages of the server. */
  readonly reasons: string[] = [];
  #socket: LeanSocket | undefined;
  #classic = { token: '', cursor: '', groups: '' };
  #isStopped = false;

  constructor(settings: FollowerSettings) {
    this.#settings = settings;
  }

  async open(): Promise<void> {
    if (this.#settings.family === 'core') this.#openCore();
    else await this.#openClassic();
  }

  /** Stops reading, as a client on a busy machine does. */
  pause(): void {
    this.#socket?.pause();
  }

  unpause(): void {
    this.#socket?.resume();
  }

  stop(): void {
    this.#isStopped = true;
    this.#socket?.close();
  }

  get #port(): number {
    const { ports } = this.#settings;
    return ports[this.reconnects % ports.length] ?? 0;
  }

  #openCore(): void {
    const { token } = this.#settings;
    const port = this.#port;
    const events = {
      onMessage: (payload: Buffer) => this.#receiveCore(payload),
      onEnd: () => this.#reconnect(),
    };
    const socket = new LeanSocket(port, `/alarmHub?access_token=${token}`, events, () => {
      const after = this.last < 0 ? 'null' : this.last;
      socket.send(
        `{"protocol":"json","version":1}\u001e{"type":1,"invocationId":"1","target":"resume","arguments":[${after}]}\u001e`,
      );
    });
    this.#socket = socket;
  }

  #receiveCore(payload: Buffer): void {
    this.#receiveChanges(payload);
    if (payload.length < 200 && payload.includes(closeMark)) this.reasons.push(payload.toString());
    if (this.isLive || !payload.includes(completionMark)) return;
    const text = payload.toString();
    const [, seq] = /"type":3,"invocationId":"1","result":\{"seq":(\d+)\}/.exec(text) ?? [];
    if (seq === undefined) this.faults.push(`resume was answered ${text.slice(0, 300)}`);
    else this.#begin(Number(seq));
  }

  #begin(seq: number): void {
    if (this.last < 0) {
      this.begun = seq;
      this.last = seq;
    }
    this.isLive = true;
  }

  #receiveChanges(payload: Buffer): void {
    for (let at = payload.indexOf(changeMark); at >= 0; at = payload.indexOf(changeMark, at + 8)) {
      let seq = 0;
      for (let index = at + 8; ; index++) {
        const digit = (payload[index] ?? 0) - 48;
        if (digit < 0 || digit > 9) break;
        seq = seq * 10 + digit;
      }
      if (this.last >= 0 && seq !== this.last + 1) this.faults.push(`after ${this.last} came ${seq}`);
      this.last = seq;
    }
  }

  async #openClassic(): Promise<void> {
    const { token } = this.#settings;
    const port = this.#port;
    const query = `clientProtocol=2.1&connectionData=${encodeURIComponent('[{"name":"alarmhub"}]')}&access_token=${token}`;
    if (this.#classic.token === '') {
      const answer = await fetch(`http://127.0.0.1:${port}/signalr/negotiate?${query}`);
      if (!answer.ok) return this.#reconnect();
      const { ConnectionToken } = (await answer.json()) as { ConnectionToken: string };
      this.#classic.token = encodeURIComponent(ConnectionToken);
    }
    const { token: own, cursor, groups } = this.#classic;
    const again = cursor === '' ? '' : `&messageId=${cursor}&groupsToken=${encodeURIComponent(groups)}`;
    const endpoint = cursor === '' ? 'connect' : 'reconnect';
    const path = `/signalr/${endpoint}?${query}&transport=webSockets&connectionToken=${own}${again}`;
    const events = {
      onMessage: (payload: Buffer) => this.#receiveClassic(payload),
      onEnd: (status: number) => this.#reconnect(status),
    };
    const socket = new LeanSocket(port, path, events, () => {
      if (cursor !== '') this.isLive = true;
    });
    this.#socket = socket;
  }

  #receiveClassic(payload: Buffer): void {
    const text = payload.toString();
    if (text === '{}') return;
    const { C, S, G, I, R } = JSON.parse(text) as {
      C?: string;
      S?: number;
      G?: string;
      I?: string;
      R?: { seq: number };
    };
    this.#receiveChanges(payload);
    if (G !== undefined) this.#classic.groups = G;
    // The cursor has a position from the first `resume` on.
    if (C !== undefined) this.#classic.cursor = C;
    if (S === 1) this.#socket?.send('{"H":"alarmhub","M":"resume","A":[null],"I":0}');
    if (I === '0' && R) this.#begin(R.seq);
  }

  #reconnect(status = 0): void {
    this.isLive = false;
    if (this.#isStopped) return;
    this.reconnects += 1;
    // The server no longer knows the connection. A new one would lose the position, so this is a fault.
    if (status >= 400 && status < 500) this.faults.push(`refused with ${status}`);
    setTimeout(() => void this.open().catch(() => this.#reconnect()), retryMs * (0.5 + Math.random()));
  }
}
