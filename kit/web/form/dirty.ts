/** Forms with changes that nobody saved; asked before a tab closes, the page reloads or an update is offered. */
const dirty = new Map<object, string>();

/** Marks a form as holding unsaved changes, or as clean. `where` is the address it stands on. */
export function markDirty(form: object, isDirty: boolean, where: string): void {
  if (isDirty) dirty.set(form, where);
  else dirty.delete(form);
}
/** Whether any form has unsaved changes; with a path, on that screen only. */
export function isDirty(path?: string): boolean {
  return path === undefined ? dirty.size > 0 : [...dirty.values()].includes(path);
}
