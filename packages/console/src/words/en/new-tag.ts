export const newTag = {
  newTag: {
    open: 'New tag',
    title: 'New tag',
    lead: 'The tag is there before its first alarm. It raises no alarm and calls nobody.',
    dataServer: 'Data server',
    path: 'Path',
    pathHint: 'As the control system names it, for example Chlor.CL201.LL.',
    message: 'Message',
    go: 'Create the tag',
    exists: (path: string) => `${path} is there already. Select it in the list to change it.`,
    made: (path: string) => `${path} is created.`,
  },
};
export type NewTagWords = typeof newTag;
