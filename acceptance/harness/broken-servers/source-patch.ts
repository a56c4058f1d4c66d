/** Replaces a text that occurs exactly once in a source file. */
export type SourcePatch = {
  /** Below `packages/`. */
  file: string;
  text: string;
  by: string;
};

/** Throws unless each text occurs exactly once, because a patch that no longer applies would break nothing. */
export function applyPatches(source: string, patches: readonly SourcePatch[]): string {
  let patched = source;
  for (const { file, text, by } of patches) {
    const found = source.split(text).length - 1;
    if (found !== 1) throw new Error(`${file} has ${found} times: ${text}`);
    patched = patched.replace(text, () => by);
  }
  return patched;
}
