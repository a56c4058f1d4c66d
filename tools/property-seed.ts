import { configureGlobal } from 'fast-check';

/**
 * Property tests use the same cases every time, so that a failure is due to the change. `PROPERTY_SEED=random npm test`
 * uses new cases and prints their seed, with which they can be repeated.
 */
const asked = process.env['PROPERTY_SEED'] ?? '20260101';
const seed = asked === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
if (asked === 'random') console.log(`PROPERTY_SEED=${seed}`);
// Includes the cause in the message, because reports contain messages only.
configureGlobal({ includeErrorInReport: true, seed });
