import { expect, test } from 'vitest';
import { hasSamples, withTabs } from './sample-tabs.ts';

const text = `### List

[curl](samples/curl/list.sh) · [C#](samples/csharp/list.cs)

See [curl](samples/curl/list.sh).
`;

test('a paragraph of links to samples becomes tabs with their text, other links stay', () => {
  expect(hasSamples(text)).toBe(true);
  expect(withTabs(text, (path) => `content of ${path}\n`)).toBe(`### List

<Tabs syncKey="language">
<TabItem label="curl">

\`\`\`sh
content of samples/curl/list.sh
\`\`\`

</TabItem>
<TabItem label="C#">

\`\`\`csharp
content of samples/csharp/list.cs
\`\`\`

</TabItem>
</Tabs>

See [curl](samples/curl/list.sh).
`);
});

test('a page without such a paragraph has no samples', () => {
  expect(hasSamples('See [curl](samples/curl/list.sh) and [C#](samples/csharp/list.cs).')).toBe(false);
});
