type Event = { atMs: number; order: number; run: () => void };

/** A clock that jumps from one event to the next. Events of the same instant run in the order they were planned. */
export class SimulationClock {
  nowMs: number;
  readonly #heap: Event[] = [];
  #planned = 0;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  after(delayMs: number, run: () => void): void {
    this.at(this.nowMs + delayMs, run);
  }

  at(atMs: number, run: () => void): void {
    this.#push({ atMs: Math.max(atMs, this.nowMs), order: this.#planned++, run });
  }

  runUntil(endMs: number): void {
    for (let event = this.#heap[0]; event && event.atMs <= endMs; event = this.#heap[0]) {
      this.#pop();
      this.nowMs = event.atMs;
      event.run();
    }
    this.nowMs = endMs;
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(event);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (!parent || !isBefore(event, parent)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
      if (!left) break;
      const takesRight = right !== undefined && isBefore(right, left);
      const child = takesRight ? right : left;
      if (!isBefore(child, last)) break;
      heap[place] = child;
      place = 2 * place + (takesRight ? 2 : 1);
    }
    heap[place] = last;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
