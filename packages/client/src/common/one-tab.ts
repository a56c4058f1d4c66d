/**
 * Runs a task while no other tab of this browser runs one of this name. Browsers have locks on secure pages only;
 * elsewhere the task must bear that another tab runs it, too.
 */
export function inOneTab<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
  const locks = globalThis.navigator?.locks;
  return locks ? locks.request(name, task) : task();
}
