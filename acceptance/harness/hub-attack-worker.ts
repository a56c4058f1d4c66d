import { type AttackSettings, attack } from './hub-attack.ts';

// A process of its own: what is measured beside the attack must not wait for it.
process.on('message', (settings: AttackSettings) => {
  attack(settings).then(
    (report) => process.send?.(report, () => process.exit(0)),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
