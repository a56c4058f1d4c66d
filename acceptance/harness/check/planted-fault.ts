import type { HealthySite } from './healthy-site.ts';

/** How an installation with a fault differs from the healthy one. */
export type Planted = {
  readonly environment?: Record<string, string>;
  /** How far the clock of the machine is ahead. */
  readonly aheadMs?: number;
};

/** A fault of an installation, and what `check` must say about it. */
export type PlantedFault = {
  readonly fault: string;
  plant(site: HealthySite): Planted | Promise<Planted>;
  /** Every finding that is not in order, by its name; `message` and `remedy` belong to the first one. */
  readonly names: readonly [string, ...string[]];
  readonly severity?: 'warning';
  readonly message: RegExp;
  /** Contained in the advice. */
  readonly remedy: string;
};
