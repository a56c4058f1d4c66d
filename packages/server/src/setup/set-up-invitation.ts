/** The text printed at the first start: the command that creates the first administrator. */
export function setUpInvitation(url: string, code: string): string {
  const reachable = url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:');
  const body = JSON.stringify({ code, username: 'admin', password: 'at least 12 characters' });
  const lines = [
    'This installation is empty. Create its first administrator with',
    '',
    `  curl ${reachable}/api/v1/setup -H 'Content-Type: application/json' \\`,
    `    -d '${body}'`,
    '',
    'The code works once, and only until the next start.',
  ];
  // Without lines at the sides, so that the command can be copied.
  const edge = '─'.repeat(Math.max(...lines.map((line) => line.length)));
  return `\n${[edge, ...lines, edge].join('\n')}\n\n`;
}
