import { createHash } from 'node:crypto';
import { rosterChanges } from '../roster/roster-changes.ts';
import { dailyHandOver, decade, threeShifts } from './rosters.ts';
import { zones } from './zones.ts';

// A program that prints digests of ten years of rosters, and its own local time. It is started in several time zones.

const year = { from: new Date('2011-07-01T00:00:00Z'), to: new Date('2012-07-01T00:00:00Z') };

const periods = [
  { roster: dailyHandOver(150), ...decade },
  { roster: threeShifts, ...year },
];

const digests = zones.map((zone) => {
  const hash = createHash('sha256');
  for (const { roster, from, to } of periods)
    hash.update(JSON.stringify(rosterChanges(roster, zone, from, to)));
  return [zone, hash.digest('hex')];
});

// The local time at a fixed instant proves that each run had its own time zone.
const shownHere = new Date('2026-07-01T00:00:00Z').toString().slice(0, 24);
console.log(JSON.stringify({ shownHere, digests }));
