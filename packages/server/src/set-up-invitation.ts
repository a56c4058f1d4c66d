/** What the server prints at its first start, for somebody to copy: how to make the first administrator. */
export function setUpInvitation(url: string, code: string): string {
  const reachable = url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:');
  const body = JSON.stringify({ code, username: 'admin', password: 'at least 12 characters' });
  const lines = [
    'This installation is empty. Make its first administrator with',
    '',
    `  curl ${reachable}/api/v1/setup -H 'Content-Type: application/json' \\`,
    `    -d '${body}'`,
    '',
    'The code works once, and until the next start only.',
  ];
  // No lines at the sides: the command can be copied as it stands.
  const edge = '─'.repeat(Math.max(...lines.map((line) => line.length)));
  return `\n${[edge, ...lines, edge].join('\n')}\n\n`;
}
