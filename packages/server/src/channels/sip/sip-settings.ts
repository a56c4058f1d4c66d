import { Type } from 'typebox';
import { authorityText, secretText } from '../port/setting-schemas.ts';

/**
 * The characters of each text are limited here and checked again when the files of baresip are written: a `;`, `>`, quote
 * or line break would add a parameter or a line there.
 */
export const settingPatterns = {
  host: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$',
  user: '^[A-Za-z0-9+*_.~-]{1,64}(@[A-Za-z0-9.-]{1,64})?$',
  password: '^[!#-:=?-\\[\\]-~]{1,128}$',
  callerId: '^[A-Za-z0-9+*_.~-]{1,64}$',
} as const;

export const SipSettings = Type.Object({
  host: Type.String({
    pattern: settingPatterns.host,
    title: 'Telephone system',
    description: 'Name or IPv4 address of the PBX or of the SIP trunk.',
    guardsSecrets: true,
  }),
  port: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      title: 'Port',
      description: 'By default 5060, and 5061 with TLS.',
      guardsSecrets: true,
    }),
  ),
  transport: Type.Optional(
    Type.Enum(['udp', 'tcp', 'tls'], {
      default: 'udp',
      title: 'Transport',
      description: '`tls` encrypts who is called; what is said is encrypted by SRTP.',
      guardsSecrets: true,
    }),
  ),
  certificate: Type.Optional(
    authorityText('In PEM; for TLS with a certificate that no public authority has signed.'),
  ),
  mediaEncryption: Type.Optional(
    Type.Enum(['none', 'srtp'], {
      default: 'none',
      title: 'Encryption of the voice',
      description: '`srtp` needs TLS, because its keys are sent in the signalling.',
      guardsSecrets: true,
    }),
  ),
  user: Type.Optional(
    Type.String({
      pattern: settingPatterns.user,
      title: 'User',
      description: 'Extension or account. Without one the telephone system knows us by our address.',
    }),
  ),
  password: Type.Optional(
    secretText({
      pattern: settingPatterns.password,
      title: 'Password',
      description: 'Of that user: ASCII without spaces, quotes, `;`, `<`, `>` and backslashes.',
    }),
  ),
  registers: Type.Optional(
    Type.Boolean({
      default: false,
      title: 'Register',
      description:
        'Log in before each call, for a telephone system that accepts calls of logged-in users only.',
    }),
  ),
  callerId: Type.Optional(
    Type.String({
      pattern: settingPatterns.callerId,
      title: 'Caller number',
      description:
        'The number that phones show; by default the user, and with `registers` what the telephone system knows.',
    }),
  ),
  lines: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 2,
      title: 'Lines',
      description: 'Calls at once, as the telephone system allows.',
    }),
  ),
  ringSeconds: Type.Optional(
    Type.Integer({
      minimum: 5,
      maximum: 90,
      default: 30,
      title: 'Ring time',
      description: 'Seconds after which nobody has answered.',
    }),
  ),
  answerBy: Type.Optional(
    Type.Enum(['digit', 'pin', 'code'], {
      default: 'digit',
      title: 'Answer',
      description:
        '`digit`: 1 takes the alarm. `pin`: the PIN of the person is asked for as well. `code`: six digits are read out and pressed.',
    }),
  ),
  codecs: Type.Optional(
    Type.Array(Type.Enum(['PCMA', 'PCMU']), {
      minItems: 1,
      maxItems: 2,
      default: ['PCMA', 'PCMU'],
      title: 'Codecs',
      description: 'In the order of preference. `PCMA` is usual in Europe, `PCMU` in North America.',
    }),
  ),
});
export type SipSettings = Type.Static<typeof SipSettings>;

/** The settings with their defaults. */
export type Trunk = Required<Omit<SipSettings, 'certificate'>> & { readonly certificate: string | undefined };

const defaults = {
  transport: 'udp',
  certificate: undefined,
  mediaEncryption: 'none',
  user: '',
  password: '',
  registers: false,
  lines: 2,
  ringSeconds: 30,
  answerBy: 'digit',
} as const;

export function trunkOf(settings: SipSettings): Trunk {
  const { transport = 'udp', user = '', codecs = [] } = settings;
  return {
    port: transport === 'tls' ? 5_061 : 5_060,
    callerId: user.split('@')[0] || 'tocsin',
    ...defaults,
    ...settings,
    codecs: codecs.length > 0 ? codecs : ['PCMA', 'PCMU'],
  };
}
