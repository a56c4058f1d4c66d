/** What the visitor needs to know. */
export type Addresses = {
  readonly signIn: string;
  readonly phones: string;
  readonly server: string;
  readonly key: string;
};

const raisedTag = 'Lift.P304.TRIP';

/** The keys of the demo, with what they do. */
const keyTexts: readonly (readonly [string, string])[] = [
  ['s', 'storm: forty alarms in a few seconds'],
  ['c', 'chatter: a sensor with a loose wire'],
  ['n', 'nobody answers: watch the call go from person to person'],
  ['f', 'faster: sixty seconds of the plant in one'],
  ['l', 'a new link to the console'],
  ['q', 'quit; the data stays'],
];

/** The request that raises an alarm and rings a telephone. */
const curlLines = ({ server, key }: Addresses): string[] => [
  `curl ${server}/api/v1/alarms -H 'Authorization: Bearer ${key}' \\`,
  `  -H 'Content-Type: application/json' -d '{"path":"${raisedTag}","raised":true}'`,
];

/** The screen when everything runs. */
export function startScreen(
  addresses: Addresses,
  { hasColour, hasKeys }: { hasColour: boolean; hasKeys: boolean },
): string {
  const bold = (text: string) => (hasColour ? `\u001B[1m${text}\u001B[22m` : text);
  const keys = keyTexts.map(([key, text]) => `    ${bold(key)}  ${text}`);
  return [
    '',
    `  Console     ${bold(addresses.signIn)}`,
    '              signs you in, once',
    `  Telephones  ${bold(addresses.phones)}`,
    '              they ring within a few seconds: pick up, listen, take the alarm',
    '',
    '  Raise an alarm yourself, as a control system does:',
    '',
    ...curlLines(addresses).map((line) => `    ${line}`),
    '',
    ...(hasKeys ? ['  Keys:', ...keys] : ['  Ctrl+C or SIGTERM ends the demo; the data stays.']),
    '',
    '',
  ].join('\n');
}
