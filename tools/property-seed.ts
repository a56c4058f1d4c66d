import { configureGlobal } from 'fast-check';

/**
 * Properties see the same cases every time, so that a red build speaks of the change. To look for new ones:
 * `PROPERTY_SEED=random npm test`, and with the number it prints, to see one again.
 */
const asked = process.env['PROPERTY_SEED'] ?? '20260101';
const seed = asked === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
if (asked === 'random') console.log(`PROPERTY_SEED=${seed}`);
// The reason stands in the message too: a report of a run keeps messages, not causes.
configureGlobal({ includeErrorInReport: true, seed });
