import { type AttackSettings, attack } from './attack.ts';

// Runs in its own process, so that the attack does not delay the measurements beside it.
process.on('message', (settings: AttackSettings) => {
  attack(settings).then(
    (report) => process.send?.(report, () => process.exit(0)),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
