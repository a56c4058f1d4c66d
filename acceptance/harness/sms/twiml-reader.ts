const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What a provider does with a TwiML document: the sentences, and where the pressed key is posted. */
export type Instructions = { said: string[]; action: string | undefined };

/** Reads the few verbs that a telephone menu needs. Throws if the document is not well-formed, as a provider would. */
export function readTwiml(document: string): Instructions {
  const [, content] = /^<\?xml [^>]*\?><Response>(.*)<\/Response>$/s.exec(document) ?? [];
  if (content === undefined) throw new Error(`not TwiML: ${document}`);
  if (/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(document))
    throw new Error(`characters that XML does not allow: ${JSON.stringify(document)}`);
  requireNesting(content);
  const [, attributes] = /<Gather( [^>]*)>/.exec(content) ?? [];
  const [, action] = / action="([^"]*)"/.exec(attributes ?? '') ?? [];
  const said = [...content.matchAll(/<Say[^>]*>([^<]*)<\/Say>/g)].map(([, text = '']) => unescapeXml(text));
  return { said, action: action === undefined ? undefined : unescapeXml(action) };
}

function requireNesting(content: string): void {
  const open: string[] = [];
  for (const [, end, name = '', isEmpty] of content.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (end === '/' && open.pop() !== name) throw new Error(`badly nested: ${content}`);
    if (end === '' && isEmpty === '') open.push(name);
  }
  if (open.length > 0) throw new Error(`not closed: ${content}`);
}

function unescapeXml(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) throw new Error(`not escaped: ${text}`);
  return text.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? '');
}
