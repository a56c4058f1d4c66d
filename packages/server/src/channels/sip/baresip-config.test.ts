import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { accountOf, configOf } from './baresip-config.ts';
import { SipSettings, trunkOf } from './sip-settings.ts';

const address = { remote: '10.0.0.7', local: '10.0.0.2' };
const settings = { host: 'pbx.plant.example', user: 'ext100', password: 'sesame' };
const ports = { sip: 16_000, rtp: 16_002, control: 16_006, release: async () => {} };
const config = (more: object) =>
  configOf({ trunk: trunkOf({ ...settings, ...more }), address, ports, silence: '/run/silence.wav' });

test('a trunk that knows our address gets an account without a log-in', () => {
  expect(accountOf(trunkOf({ host: 'pbx.plant.example', callerId: '+33100' }), address)).toBe(
    '<sip:+33100@pbx.plant.example;transport=udp>;regint=0;answermode=manual;' +
      'audio_codecs=PCMA/8000/1,PCMU/8000/1;outbound="sip:10.0.0.7:5060;transport=udp"\n',
  );
});

test('an extension logs in as itself, and baresip is given the checked address and not the name', () => {
  const account = accountOf(trunkOf({ ...settings, registers: true, callerId: '+33100' }), address);
  expect(account).toMatch(/^<sip:ext100@pbx\.plant\.example;transport=udp>;regint=60;/);
  expect(account).toContain(';auth_user=ext100;auth_pass=sesame');
  expect(account).toContain('outbound="sip:10.0.0.7:5060;');
});

test('with TLS and SRTP nothing is sent in clear', () => {
  const secure = { ...settings, transport: 'tls', mediaEncryption: 'srtp' } as const;
  const account = accountOf(trunkOf(secure), address);
  expect(account).toContain('@pbx.plant.example:5061;transport=tls>');
  expect(account).toContain('outbound="sip:10.0.0.7:5061;transport=tls"');
  expect(account).toContain(';mediaenc=srtp-mand');
  expect(config(secure)).toContain('\nmodule srtp.so\n');
});

test('signalling, voice and control have ports of their own, and control is for this machine only', () => {
  expect(config({})).toContain('\nsip_listen 10.0.0.2:16000\n');
  expect(config({})).toContain('\nrtp_ports 16002-16005\n');
  expect(config({})).toContain('\nctrl_tcp_listen 127.0.0.1:16006\n');
  expect(config({})).toContain('\ncall_max_calls 1\n');
});

const attacks = ['x\nmodule evil.so', 'x;regint=1', 'x>;auth_pass=y', 'x"y', 'x y', 'x\ry', 'x\0', '<x'];

test.for(
  ['host', 'user', 'password', 'callerId'].flatMap((name) => attacks.map((value) => [name, value] as const)),
)('no %s adds a line or a parameter: %j', ([name, value]) => {
  const bad = { ...settings, [name]: value };
  expect(Check(SipSettings, bad)).toBe(false);
  // A row may be older than the rules.
  expect(() => accountOf(trunkOf(bad), address)).toThrow('misread');
});

test('passwords may have every other sign of the keyboard', () => {
  const password = "!#$%&'()*+,-./09:=?@AZ[]^_`az{|}~";
  expect(Check(SipSettings, { ...settings, password })).toBe(true);
  expect(accountOf(trunkOf({ ...settings, password }), address)).toContain(`;auth_pass=${password}`);
});
