import { Type } from 'typebox';
import { ProblemError } from '../../common/problem.ts';
import type { HttpApp } from '../http-app.ts';

/** The contact data of the operator, from the settings. */
export type Disclosure = {
  securityContact: readonly string[];
  securityPolicyUrl?: string | undefined;
  securityLanguages: readonly string[];
  /** The public URL of this server; empty if it is not configured. */
  publicUrl: string;
  now: () => Date;
};

const path = '/.well-known/security.txt';
/** RFC 9116 recommends less than a year; copies are refreshed after half a year. */
const validDays = 180;
const dayMs = 86_400_000;

/** The contact for security reports (RFC 9116). Without a contact the file does not exist. */
export function securityTxtRoute(app: HttpApp, disclosure: Disclosure | undefined): void {
  app.get(
    path,
    {
      config: { permission: 'public' },
      schema: {
        tags: ['meta'],
        summary: 'Where to report a weakness of this server',
        description: 'As RFC 9116 asks for it. 404 unless `SECURITY_CONTACT` is set.',
        produces: ['text/plain'],
        response: { 200: Type.String() },
      },
    },
    async (_request, reply) => {
      if (!disclosure || disclosure.securityContact.length === 0)
        throw new ProblemError('not-found', 'Nobody has said where to report a weakness of this server');
      reply.type('text/plain; charset=utf-8');
      return securityTxt(disclosure);
    },
  );
}

/** The same text all day. It never repeats the host of the request, which anyone can choose. */
export function securityTxt(disclosure: Disclosure): string {
  const { securityContact, securityPolicyUrl, securityLanguages, publicUrl, now } = disclosure;
  const today = Math.floor(now().getTime() / dayMs);
  const expires = new Date((today + validDays) * dayMs);
  const lines = [
    ...securityContact.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${securityLanguages.join(', ')}`,
    // Only `https:` is allowed here, and the path exists only at the root of a host.
    ...(publicUrl.startsWith('https://') ? [`Canonical: ${new URL(path, publicUrl).href}`] : []),
    ...(securityPolicyUrl === undefined ? [] : [`Policy: ${securityPolicyUrl}`]),
  ];
  return `${lines.join('\n')}\n`;
}
