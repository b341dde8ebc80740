// The page of a member is a tab of its own, which knows nothing of the list but this.
let listed: readonly string[] = [];

/** Whom the list shows now, in its order: the page of one of them steps to the neighbours. */
export function keepListed(ids: readonly string[]): void {
  listed = ids;
}
export const listedMembers = (): readonly string[] => listed;
