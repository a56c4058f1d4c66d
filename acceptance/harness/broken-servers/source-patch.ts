/** Replaces a piece of a source file, which is there exactly once. */
export type SourcePatch = {
  /** Below `packages/`. */
  file: string;
  text: string;
  by: string;
};

/** Throws where the piece is not there, or not only once: a break whose place has moved breaks nothing. */
export function applyPatches(source: string, patches: readonly SourcePatch[]): string {
  let patched = source;
  for (const { file, text, by } of patches) {
    const found = source.split(text).length - 1;
    if (found !== 1) throw new Error(`${file} has ${found} times: ${text}`);
    patched = patched.replace(text, () => by);
  }
  return patched;
}
