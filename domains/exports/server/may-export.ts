import type { Access, ItemPath } from "@zhangfang/contract/endpoint.ts";

/** Whether somebody may export a list: they need an item that opens it, as its own screen asks for. */
export function mayExport(who: { holds(items: readonly ItemPath[]): boolean }, access: Access): boolean {
  if (access === "signed-in") return true;
  if (access === "public" || access === "device" || access === "channel") return false;
  return who.holds([access].flat() as ItemPath[]);
}
