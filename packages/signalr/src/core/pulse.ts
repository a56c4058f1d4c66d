import type { Limits } from '../limits.ts';

/** Whether it is time to ping, or to give a silent client up. Writes and reads only set a flag: no clock per message. */
export class Pulse {
  readonly #limits: Limits;
  #hasSent = false;
  #hasHeard = false;
  /** Old clients never ping; their silence means nothing. */
  #clientPings = false;
  #sentAt: number;
  #heardAt: number;

  constructor(limits: Limits, now: number) {
    this.#limits = limits;
    this.#sentAt = now;
    this.#heardAt = now;
  }

  sent(): void {
    this.#hasSent = true;
  }

  heard(): void {
    this.#hasHeard = true;
  }

  pinged(): void {
    this.#clientPings = true;
  }

  beat(now: number): 'ping' | 'silent' | undefined {
    if (this.#hasSent) this.#sentAt = now;
    if (this.#hasHeard) this.#heardAt = now;
    this.#hasSent = false;
    this.#hasHeard = false;
    if (this.#clientPings && now - this.#heardAt >= this.#limits.clientTimeoutMs) return 'silent';
    return now - this.#sentAt >= this.#limits.keepAliveMs ? 'ping' : undefined;
  }
}
