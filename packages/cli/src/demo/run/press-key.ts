import type { Demo } from './open-demo.ts';

const fast = 60;

/** Does what a key of the demo means, and says so; undefined for other keys. */
export function pressKey(
  {
    model,
    exchange,
    simulation,
    newSignInLink,
  }: Pick<Demo, 'model' | 'exchange' | 'simulation' | 'newSignInLink'>,
  key: string,
): string | undefined {
  switch (key) {
    case 's':
      model.storm();
      return 'Storm: the supply dips, and forty alarms come. Look at Flood in the console.';
    case 'c':
      model.chatter();
      return 'Chatter: flow meter FT118 has a loose wire for 45 seconds.';
    case 'n':
      exchange.nobodyAnswers = !exchange.nobodyAnswers;
      return exchange.nobodyAnswers
        ? 'Nobody answers: each call goes to the next person after 20 seconds. Press n again to end it.'
        : 'People answer again.';
    case 'f':
      simulation.speed = simulation.speed === 1 ? fast : 1;
      exchange.isHasty = simulation.speed === fast;
      return exchange.isHasty
        ? 'Faster: an hour of the plant takes a minute, and people pick up at once. The clock of the server stays right.'
        : 'The plant runs at its usual speed.';
    case 'l':
      return `Console: ${newSignInLink()}`;
    default:
      return undefined;
  }
}
