/** A paragraph that only links to samples: `[curl](samples/curl/x.sh) · [Python](samples/python/x.py)`. */
const paragraph = /^\[[^\]]+\]\(samples\/[^)]+\)(?: · \[[^\]]+\]\(samples\/[^)]+\))+$/gm;
const link = /\[([^\]]+)\]\((samples\/[^)]+)\)/g;

const languages: Readonly<Record<string, string>> = { sh: 'sh', py: 'python', cs: 'csharp', java: 'java' };

const languageOf = (path: string) => languages[path.replace(/^.*\./, '')] ?? 'text';

export const hasSamples = (text: string): boolean => text.search(paragraph) >= 0;

/** Shows the samples that a paragraph links to, each in a tab. `read` answers the text of a file in `docs`. */
export function withTabs(text: string, read: (path: string) => string): string {
  return text.replaceAll(paragraph, (links) => {
    const tabs = [...links.matchAll(link)].map(
      ([, label = '', path = '']) =>
        `<TabItem label="${label}">\n\n\`\`\`${languageOf(path)}\n${read(path).trimEnd()}\n\`\`\`\n\n</TabItem>`,
    );
    return `<Tabs syncKey="language">\n${tabs.join('\n')}\n</Tabs>`;
  });
}

/** Goes before the text of a page with tabs. */
export const tabsImport = "import { TabItem, Tabs } from '@astrojs/starlight/components';\n";
