/** Drops months that are not kept, until it is done or killed: `URL MONTHS NOW`. */
import { pino } from 'pino';
import { openDatabase } from '../../postgres/database.ts';
import { testBox } from '../../testing/test-box.ts';
import { dropOldMonths } from '../drop-old-months.ts';

const [url = '', monthsKept = '', now = ''] = process.argv.slice(2);
const database = openDatabase({ url, connections: 2, clock: () => new Date(now) });
await dropOldMonths({ database, log: pino(), box: testBox }, Number(monthsKept));
await database.close();
