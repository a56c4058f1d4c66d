import { pino } from 'pino';
import { buildApp } from '../app.ts';
import { notAuthenticated } from '../http/authorization.ts';
import { openApiDocument } from '../http/openapi/openapi.ts';
import { openDatabase } from '../postgres/database.ts';
import { testBox } from './test-box.ts';

/** The OpenAPI document of the server. Needs no database, because it sends no query. */
export async function interfaceDocument(): Promise<object> {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 2 });
  const authenticate = () => Promise.reject(notAuthenticated('no token is valid here'));
  const runtime = { database, log: pino({ level: 'silent' }), box: testBox };
  const app = buildApp(runtime, authenticate, { basePath: '', reference: false });
  await app.ready();
  const document = openApiDocument(app);
  await app.close();
  await database.close();
  return document;
}
