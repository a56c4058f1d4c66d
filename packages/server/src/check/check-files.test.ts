import { expect, test } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { writtenFolders } from './check-files.ts';

test('a server that is given its key keeps none in the folder of its state', () => {
  const settings = readConfig({ DATABASE_URL: 'postgres://localhost/tocsin' });
  const state = expect.objectContaining({ variable: 'STATE_FOLDER' });
  expect(writtenFolders(settings)).toContainEqual(state);
  const secretsKey = Buffer.alloc(32, 7).toString('base64');
  expect(writtenFolders({ ...settings, secretsKey })).not.toContainEqual(state);
});
