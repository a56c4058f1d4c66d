import { createHash } from 'node:crypto';
import { rosterChanges } from '../roster-changes.ts';
import { dailyHandOver, decade, threeShifts } from './rosters.ts';
import { zones } from './zones.ts';

// A program: it prints who was on duty in ten years, and in which time zone it ran. It is started in several.

const year = { from: new Date('2011-07-01T00:00:00Z'), to: new Date('2012-07-01T00:00:00Z') };

const walks = [
  { roster: dailyHandOver(150), ...decade },
  { roster: threeShifts, ...year },
];

const digests = zones.map((zone) => {
  const hash = createHash('sha256');
  for (const { roster, from, to } of walks)
    hash.update(JSON.stringify(rosterChanges(roster, zone, from, to)));
  return [zone, hash.digest('hex')];
});

// What clocks of the machine show at one and the same instant: proof that each run had a zone of its own.
const shownHere = new Date('2026-07-01T00:00:00Z').toString().slice(0, 24);
console.log(JSON.stringify({ shownHere, digests }));
