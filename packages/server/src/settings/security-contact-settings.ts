import { Type } from 'typebox';

/** The content of `/.well-known/security.txt`. There is no default contact, because a report must reach the operator. */
export const disclosureSettings = {
  securityContact: Type.Array(Type.String({ pattern: '^(mailto:[^@ ]+@|https://|tel:\\+)[^ ,]+$' }), {
    default: [],
    mustBe:
      'addresses separated by commas, such as mailto:security@plant.example or https://plant.example/report',
    description:
      'Contacts for security reports, the preferred one first: `mailto:`, `https:` or `tel:`, comma-separated.',
  }),
  securityPolicyUrl: Type.Optional(
    Type.String({
      pattern: '^https://[^ ]+$',
      mustBe: 'a URL such as https://plant.example/security',
      description: 'Page about the handling of reports, such as the `SECURITY.md` of the source.',
    }),
  ),
  securityLanguages: Type.Array(Type.String({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' }), {
    default: ['en'],
    minItems: 1,
    mustBe: 'language tags separated by commas, such as fr,en',
    description: 'Languages of reports, comma-separated.',
  }),
};
