/**
 * Scenarios that take long and try what few changes touch. A change runs a third of them, the nightly run all. Neighbours
 * in the list are in different thirds, and each third takes about as long.
 */
export const longScenarios: readonly string[] = [
  'readme',
  'demo',
  'hub-under-attack',
  'hub-slow-consumer',
  'hub-node-loss',
  'upgrade',
  'restore-drill',
  'console-storm',
  'journal-under-kill',
];

/** Those that a run with this sample leaves out. */
export const leftOut = (seed: number): readonly string[] =>
  longScenarios.filter((_, place) => place % 3 !== seed % 3);
