import { Type } from 'typebox';

/** What `/.well-known/security.txt` says. There is no default contact: a report must not go to somebody who knows nothing of it. */
export const disclosureSettings = {
  securityContact: Type.Array(Type.String({ pattern: '^(mailto:[^@ ]+@|https://|tel:\\+)[^ ,]+$' }), {
    default: [],
    mustBe:
      'addresses separated by commas, such as mailto:security@plant.example or https://plant.example/report',
    description:
      'Where to report a weakness of this server, the best way first: `mailto:`, `https:` or `tel:`, with commas.',
  }),
  securityPolicyUrl: Type.Optional(
    Type.String({
      pattern: '^https://[^ ]+$',
      mustBe: 'a URL such as https://plant.example/security',
      description: 'Page that tells how reports are handled, such as `SECURITY.md` where the source is kept.',
    }),
  ),
  securityLanguages: Type.Array(Type.String({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' }), {
    default: ['en'],
    minItems: 1,
    mustBe: 'language tags separated by commas, such as fr,en',
    description: 'Languages that reports may be written in, with commas.',
  }),
};
