import type { NewTagWords } from '../en/new-tag.ts';

export const newTag: NewTagWords = {
  newTag: {
    open: 'Neue Variable',
    title: 'Neue Variable',
    lead: 'Die Variable ist vor ihrem ersten Alarm da. Sie löst keinen Alarm aus und ruft niemanden.',
    dataServer: 'Datenserver',
    path: 'Pfad',
    pathHint: 'Wie das Leitsystem sie nennt, zum Beispiel Chlor.CL201.LL.',
    message: 'Meldung',
    go: 'Variable anlegen',
    exists: (path) => `${path} gibt es schon. Wählen Sie sie in der Liste, um sie zu ändern.`,
    made: (path) => `${path} ist angelegt.`,
  },
};
