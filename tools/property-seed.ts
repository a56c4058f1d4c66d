import { configureGlobal } from 'fast-check';

/**
 * Properties see the same cases every time, so that a red build speaks of the change. To look for new ones:
 * `PROPERTY_SEED=random npm test`, and with the number it prints, to see one again.
 */
const given = process.env['PROPERTY_SEED'] ?? '20260101';
// The reason stands in the message too: a report of a run keeps messages, not causes.
configureGlobal({ includeErrorInReport: true, ...(given !== 'random' && { seed: Number(given) }) });
