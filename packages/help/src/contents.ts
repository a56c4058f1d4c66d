/** A part of the contents: its name, and the documents in it by their path in `docs`, without `.md`. */
export type Section = { readonly label: string; readonly documents: readonly string[] };

/** The contents of the site. Tutorials are to learn from, how-to to work with, reference to look up, explanation to understand. */
export const contents: readonly Section[] = [
  { label: 'Tutorials', documents: ['first-alarm', 'existing-client'] },
  {
    label: 'How-to',
    documents: [
      'install',
      'sizing',
      'moving',
      'reachability',
      'phone',
      'sip',
      'sms',
      'mail',
      'push-and-chat',
      'provider',
      'templates',
      'commands',
      'sign-in',
      'outside-log-ins',
      'desks',
      'hardening',
      'high-availability',
      'key-compromise',
    ],
  },
  {
    label: 'Reference',
    documents: ['operations', 'configuration', 'command-line', 'interface', 'samples', 'hub', 'glossary'],
  },
  {
    label: 'Explanation',
    documents: [
      'dispatch',
      'voice',
      'security',
      'asvs',
      'scale',
      'scale-runs',
      'comparison',
      'architecture',
      'decisions/README',
    ],
  },
];
