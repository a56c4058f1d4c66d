const maxLength = 256;

/** Cuts the name of a file. Names in the media library are shorter, so a name that is cut is in no library. */
export function cutFileName(name: string | undefined): string | undefined {
  return name === undefined || name.length <= maxLength ? name : name.slice(0, maxLength).toWellFormed();
}
