import type { Limits } from '../runtime/limits.ts';

/** Decides when to ping and when a client has timed out. Messages only set a flag, without reading the clock. */
export class KeepAlive {
  readonly #limits: Limits;
  #hasSent = false;
  #hasReceived = false;
  /** Old clients never ping, so their silence is not a timeout. */
  #clientPings = false;
  #sentAt: number;
  #receivedAt: number;

  constructor(limits: Limits, now: number) {
    this.#limits = limits;
    this.#sentAt = now;
    this.#receivedAt = now;
  }

  messageSent(): void {
    this.#hasSent = true;
  }

  messageReceived(): void {
    this.#hasReceived = true;
  }

  pingReceived(): void {
    this.#clientPings = true;
  }

  check(now: number): 'ping' | 'closeTimedOut' | undefined {
    if (this.#hasSent) this.#sentAt = now;
    if (this.#hasReceived) this.#receivedAt = now;
    this.#hasSent = false;
    this.#hasReceived = false;
    const { clientTimeoutIntervalMs, keepAliveIntervalMs } = this.#limits;
    if (this.#clientPings && now - this.#receivedAt >= clientTimeoutIntervalMs) return 'closeTimedOut';
    return now - this.#sentAt >= keepAliveIntervalMs ? 'ping' : undefined;
  }
}
