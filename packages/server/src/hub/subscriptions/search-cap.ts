/** Different searches of one tenant's clients on this server. Limited, because each one examines every alarm. */
export const maxSearches = 200;

/** Counts the different searches of each tenant's clients. */
export class SearchCap {
  readonly #tenants = new Map<number, Map<string, number>>();

  /** Whether the tenant may use this search, too. */
  admits(tenantId: number, search: string | undefined): boolean {
    const searches = this.#tenants.get(tenantId);
    return !search || !searches || searches.has(search) || searches.size < maxSearches;
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
    const count = (searches.get(search) ?? 0) - 1;
    if (count > 0) searches.set(search, count);
    else searches.delete(search);
    if (searches.size === 0) this.#tenants.delete(tenantId);
  }
}
