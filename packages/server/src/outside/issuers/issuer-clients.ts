import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import type { Logger } from 'pino';
import type { EgressOf } from '../../channels/network/egress.ts';
import { createHttpClient, type HttpClient } from '../../channels/network/http-client.ts';
import { createRecentlyUsed } from '../../common/recently-used.ts';

/** An issuer as its client needs it. A changed one has a new version. */
export type IssuerSettings = {
  readonly tenantId: number;
  readonly id: number;
  readonly version: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
};

/** The client of an issuer, which has read its OpenID configuration. */
export type IssuerClients = (settings: IssuerSettings, now: Date) => Promise<Configuration>;

const timeoutMs = 5_000;
const maxResponseBytes = 1_048_576;
const connections = 4;
/** Tolerated difference to the clock of the issuer. */
const clockToleranceSeconds = 60;
/** After this time the configuration of an issuer is read again. */
const periodMs = 600_000;
const maxClients = 1_000;

/**
 * Requests go to addresses that the tenant's channels may use as well, and without encryption only to those that the
 * operator lists.
 */
export function createIssuerClients(egressOf: EgressOf, log: Logger): IssuerClients {
  const clients = createRecentlyUsed<string, Promise<Configuration>>(maxClients);
  const senders = new Map<number, HttpClient>();
  const senderOf = (tenantId: number) => {
    const known = senders.get(tenantId);
    if (known) return known;
    const limits = { timeoutMs, maxResponseBytes, connections };
    const sender = createHttpClient(egressOf(tenantId), limits, log);
    senders.set(tenantId, sender);
    return sender;
  };
  return (settings, now) => {
    const { tenantId, id, version } = settings;
    const key = `${tenantId}:${id}:${version}:${Math.floor(now.getTime() / periodMs)}`;
    const known = clients.get(key);
    if (known) return known;
    const client = discover(settings, senderOf(tenantId));
    clients.set(key, client);
    client.catch(() => clients.delete(key));
    return client;
  };
}

function discover(
  { issuer, clientId, clientSecret }: IssuerSettings,
  sender: HttpClient,
): Promise<Configuration> {
  const metadata = { [clockTolerance]: clockToleranceSeconds };
  return discovery(new URL(issuer), clientId, metadata, authenticationOf(clientSecret), {
    [customFetch]: fetchThrough(sender),
    timeout: timeoutMs / 1_000,
    // The sender decides which addresses may be reached without encryption. Signatures are checked in any case.
    execute: [allowInsecureRequests, enableNonRepudiationChecks],
  });
}

/** By the header if the issuer supports that, as OpenID Connect does by default. */
function authenticationOf(clientSecret: string | undefined): ClientAuth {
  if (clientSecret === undefined) return None();
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
  return (server, client, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = supported.includes('client_secret_basic') ? basic : post;
    return authenticate(server, client, body, headers);
  };
}

/** Whatever the issuer says, its answers are read as JSON. */
function fetchThrough(sender: HttpClient): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    // The client sends forms only.
    const text = body instanceof URLSearchParams || typeof body === 'string' ? body.toString() : undefined;
    const answer = await sender.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      signal: signal ?? AbortSignal.timeout(timeoutMs),
      ...(text !== undefined && { body: text }),
    });
    return new Response(answer.text, {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    });
  };
}
