import type { Vendors } from "../vendors/open-vendor.ts";
import { ok } from "../vendors/vendor.ts";

/** Makers that say yes to everything, for tests that are about who may ask. */
export const willingVendors: Vendors = {
  printer: async () => ({
    repeatable_ms: 0,
    bind: async () => ok(null),
    unbind: async () => ok(null),
    status: async () => ok(1),
    print: async () => ok("1"),
  }),
  speaker: async () => ({ repeatable_ms: 0, bind: async () => ok(null), unbind: async () => ok(null), speak: async () => ok("1") }),
};
