import { runOperatorCommand } from './operator-commands.ts';

// The only place of the server that reads the environment and the clock for a command.
const [name = 'serve', ...args] = process.argv.slice(2);
await runOperatorCommand(name, args, { environment: process.env, now: () => new Date() });
