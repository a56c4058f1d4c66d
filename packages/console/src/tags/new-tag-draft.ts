/** What somebody has typed of a new tag; identifiers as texts, empty for none. */
export type NewTagDraft = {
  readonly dataServerId: string;
  readonly path: string;
  readonly priority: string;
  readonly tagGroupId: string;
  readonly scenarioId: string;
  readonly message: string;
};

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** The file of one line whose dry run tells whether the tag is new. */
export const oneLine = (dataServer: string, path: string): string =>
  `dataServer,path\n${cell(dataServer)},${cell(path.trim())}\n`;

/** The post that stores the definition and raises nothing. */
export function definitionOf(draft: NewTagDraft) {
  const { dataServerId, path, priority, tagGroupId, scenarioId, message } = draft;
  return {
    dataServerId: Number(dataServerId),
    path: path.trim(),
    priority: Number(priority),
    raised: false,
    alarmMessage: message.trim(),
    ...(tagGroupId !== '' && { tagGroupId: Number(tagGroupId) }),
    ...(scenarioId !== '' && { alarmActions: [{ type: 'Scenario', id: Number(scenarioId) }] }),
  };
}
