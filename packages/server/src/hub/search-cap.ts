/** Searches that differ, of the clients of one tenant on this server: each of them looks into every alarm. */
export const mostSearches = 200;

/** Counts the searches that clients ask for. */
export class SearchCap {
  readonly #tenants = new Map<number, Map<string, number>>();

  /** Whether there is room for it beside those of others. */
  admits(tenantId: number, search: string | undefined): boolean {
    const searches = this.#tenants.get(tenantId);
    return !search || !searches || searches.has(search) || searches.size < mostSearches;
  }

  enter(tenantId: number, search: string | undefined): void {
    if (!search) return;
    const searches = this.#tenants.get(tenantId) ?? new Map<string, number>();
    this.#tenants.set(tenantId, searches);
    searches.set(search, (searches.get(search) ?? 0) + 1);
  }

  leave(tenantId: number, search: string | undefined): void {
    const searches = this.#tenants.get(tenantId);
    if (!search || !searches) return;
    const left = (searches.get(search) ?? 0) - 1;
    if (left > 0) searches.set(search, left);
    else searches.delete(search);
    if (searches.size === 0) this.#tenants.delete(tenantId);
  }
}
