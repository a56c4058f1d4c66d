import type { PlantTag } from '../waterworks/tags.ts';
import { fillReservoir, type Reservoir } from './reservoir.ts';

/** What the control system reports, or the operator does. */
export type PlantAction = {
  readonly kind: 'raise' | 'reset' | 'acknowledge';
  readonly tag: PlantTag;
  readonly value: string;
};

type Event = { readonly at: number; readonly run: () => void };

/** Seconds of the plant, from the first to the second. */
type Range = readonly [number, number];

const betweenFaults: Range = [20, 70];
const faultLasts: Range = [25, 240];
const linkLasts: Range = [30, 90];
const acknowledgedAfter: Range = [20, 150];
const levelEverySeconds = 5;
const stormSize = 40;
const stormSeconds = 12;
const chatterSeconds = 45;
const chatterEvery: Range = [0.8, 2];

/** The alarms at the beginning: one that calls at once, some that stand, one that has no priority to speak of. */
const opening = ['Lift.P302.TRIP', 'Filt.F4.DP', 'Pow.G1.UBAT', 'Chlor.CL203.CAL', 'Lab.SP12.FLOW'];

/** A waterworks that lives: faults come and go, levels rise and fall, links fail. The same seed lives the same life. */
export class PlantModel {
  readonly #tags: ReadonlyMap<string, PlantTag>;
  readonly #random: () => number;
  readonly #faulty = new Set<string>();
  /** Data servers without a connection: their signals do not arrive. */
  readonly #silent = new Set<string>();
  #reservoirs: Reservoir[];
  #events: Event[] = [];
  #actions: PlantAction[] = [];
  #seconds = 0;

  constructor(tags: readonly PlantTag[], random: () => number) {
    this.#tags = new Map(tags.map((tag) => [tag.path, tag]));
    this.#random = random;
    const levels = tags.filter(({ path }) => /\.LT\d+\.L$/.test(path));
    this.#reservoirs = levels.map(({ path }) => ({
      path: path.replace(/\.L$/, ''),
      metres: this.#between([2, 3.6]),
      isFilling: false,
      passed: [],
    }));
    for (const [index, path] of opening.entries())
      this.#after(index * 0.4, () => this.#fail(path, [60, 200]));
    this.#after(6, () => this.#loseLink('Tel.BEL.COMM'));
    this.#after(levelEverySeconds, () => this.#moveLevels());
    this.#after(this.#between(betweenFaults), () => this.#failNext());
  }

  /** Lets time pass, and returns what happened in it, in order. */
  advance(seconds: number): PlantAction[] {
    const end = this.#seconds + seconds;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#seconds = next.at;
      next.run();
    }
    this.#seconds = end;
    const actions = this.#actions;
    this.#actions = [];
    return actions;
  }

  /** A dip of the supply: forty alarms in a few seconds, the cause first. */
  storm(): void {
    this.#fail('Pow.MCC2.UV', [60, 120]);
    const areas = ['High lift', 'Filters', 'Intake', 'Power', 'Chlorination'];
    const near = [...this.#tags.values()].filter(({ area }) => areas.includes(area));
    for (let count = 1; count < stormSize; count++) {
      const { path } = this.#oneOf(near);
      this.#after(this.#between([0.2, stormSeconds]), () => this.#fail(path, [40, 150]));
    }
  }

  /** A sensor with a loose wire. */
  chatter(): void {
    const end = this.#seconds + chatterSeconds;
    const toggle = () => {
      const path = 'Int.FT118.QUAL';
      if (this.#faulty.has(path)) this.#recover(path);
      else this.#fail(path, undefined);
      if (this.#seconds < end) this.#after(this.#between(chatterEvery), toggle);
      else if (this.#faulty.has(path)) this.#after(1, () => this.#recover(path));
    };
    toggle();
  }

  #next(end: number): Event | undefined {
    const [first] = this.#events;
    return first && first.at <= end ? this.#events.shift() : undefined;
  }

  #after(seconds: number, run: () => void): void {
    const at = this.#seconds + seconds;
    const place = this.#events.findIndex((event) => event.at > at);
    this.#events.splice(place === -1 ? this.#events.length : place, 0, { at, run });
  }

  #between([from, to]: Range): number {
    return from + (to - from) * this.#random();
  }

  #oneOf<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new Error('the plant has none of these');
    return item;
  }

  /** Less urgent signals fail more often, as in a plant. */
  #failNext(): void {
    const priority = this.#oneOf([1, 2, 2, 3, 3, 3, 3, 4, 4]);
    const isLevel = /\.LT\d+\./;
    const candidates = [...this.#tags.values()].filter(
      (tag) => tag.priority === priority && !isLevel.test(tag.path),
    );
    const { path } = this.#oneOf(candidates);
    if (path.startsWith('Tel.')) this.#loseLink(path);
    else this.#fail(path, faultLasts);
    this.#after(this.#between(betweenFaults), () => this.#failNext());
  }

  /** While a link is lost, the signals behind it do not change; the levels are told when it is back. */
  #loseLink(path: string): void {
    if (this.#faulty.has(path)) return;
    const dataServer = `RTU-${(path.split('.')[1] ?? '').toUpperCase()}`;
    this.#fail(path, undefined);
    this.#silent.add(dataServer);
    this.#after(this.#between(linkLasts), () => {
      this.#silent.delete(dataServer);
      this.#recover(path);
    });
  }

  #moveLevels(): void {
    this.#reservoirs = this.#reservoirs.map((reservoir) => {
      const dataServer = this.#tags.get(`${reservoir.path}.L`)?.dataServer ?? '';
      if (this.#silent.has(dataServer)) return reservoir;
      const passing = { at: this.#seconds, seconds: levelEverySeconds, chance: this.#random() };
      const after = fillReservoir(reservoir, passing);
      this.#tellLevel(reservoir, after);
      return after;
    });
    this.#after(levelEverySeconds, () => this.#moveLevels());
  }

  #tellLevel(before: Reservoir, after: Reservoir): void {
    const value = `${after.metres.toFixed(1)} m`;
    for (const end of after.passed)
      if (!before.passed.includes(end)) this.#fail(`${after.path}.${end}`, undefined, value);
    for (const end of before.passed)
      if (!after.passed.includes(end)) this.#recover(`${after.path}.${end}`, value);
  }

  /** `lasts` is absent for a fault that something else ends. */
  #fail(path: string, lasts: Range | undefined, value?: string): void {
    const tag = this.#tags.get(path);
    if (!tag || this.#faulty.has(path) || this.#silent.has(tag.dataServer)) return;
    this.#faulty.add(path);
    this.#actions.push({ kind: 'raise', tag, value: value ?? tag.faulty });
    if (lasts) this.#after(this.#between(lasts), () => this.#recover(path));
  }

  #recover(path: string, value?: string): void {
    const tag = this.#tags.get(path);
    if (!tag || !this.#faulty.has(path)) return;
    if (this.#silent.has(tag.dataServer))
      return this.#after(levelEverySeconds, () => this.#recover(path, value));
    this.#faulty.delete(path);
    this.#actions.push({ kind: 'reset', tag, value: value ?? tag.normal });
    this.#after(this.#between(acknowledgedAfter), () => {
      if (!this.#faulty.has(path)) this.#actions.push({ kind: 'acknowledge', tag, value: '' });
    });
  }
}
