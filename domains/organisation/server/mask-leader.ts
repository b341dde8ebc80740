import { maskName } from "@zhangfang/contract/text.ts";

/** Masks who leads a group or a team in found rows. */
export const withLeaderMasked = <R extends { readonly leader: string | null }>(row: R): R => ({
  ...row,
  leader: row.leader && maskName(row.leader),
});
