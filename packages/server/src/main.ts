import { runOperatorCommand } from './operator-commands.ts';

// The only place of the server that reads the environment.
const [name = 'serve', ...args] = process.argv.slice(2);
await runOperatorCommand(name, args, process.env);
