/** Folders of npm packages that a running server never reads. */
const needlessFolder = /(^|\/)(test|tests|__tests__|example|examples|bench|benchmark|benchmarks|coverage)\//;

/** Sources, maps of sources, documents and settings of tools. */
const needlessFile = /\.(map|md|markdown|ts|mts|cts|tsx|flow)$|(^|\/)\.[^/]*(\/|$)|\.(test|spec)\.[cm]?js$/i;

const isLicence = (path: string) => /(^|\/)(licen[cs]e|notice|copying)[^/]*$/i.test(path);

/** Whether a file of an npm package, by its path in the package, is delivered. Licences always are. */
export function isShipped(path: string): boolean {
  return isLicence(path) || !(needlessFolder.test(path) || needlessFile.test(path));
}
