import type { Command } from '../command/command.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { print, printJson } from '../common/print.ts';
import { warnOfPlainText } from '../connection/connect.ts';
import { readUrl, readUser, urlOption, userOptions } from '../connection/connection-options.ts';
import { logIn } from '../connection/log-in-session.ts';

export const tokenCommand: Command = {
  name: 'token',
  purpose: 'log in, and print an access token for other commands and programs',
  usage: '--user NAME --password-file FILE [OPTIONS]',
  explanation: [
    'The token is valid for a while, which --json tells. For machines create an API key in the console instead.',
  ],
  options: [urlOption, ...userOptions],
  examples: [
    {
      command: 'token --user anna --password-file anna.password',
      effect: 'prints a token',
    },
    {
      command: 'token --user anna --password-file anna.password --totp 123456 --json',
      effect: 'logs in with an authenticator app, and prints how long the token is valid',
    },
  ],
  run: async ({ values, surroundings: { environment, stdout, stderr, now } }) => {
    const baseUrl = readUrl(values, environment);
    const user = readUser(values, environment);
    warnOfPlainText(baseUrl, stderr);
    const { granted } = await logIn({ baseUrl, now }, user);
    if (values['json'] === true) await printJson(stdout, granted);
    else await print(stdout, `${granted.access_token}\n`);
    return exitCodes.done;
  },
};
