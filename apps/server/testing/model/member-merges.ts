import { expect } from "vitest";
import { apart } from "@zhangfang/domains/orders/server/testing/failpoints.ts";
import { merge, pairOf, sendCodes } from "./merging.ts";
import type { MemberSteps } from "./member-op.ts";

/** What two have together: what either owes is paid with the points of both, those first that can be spent. */
function together(has: Readonly<Record<string, number>>, from: string, into: string): Record<string, number> {
  const kinds = [...new Set(Object.keys(has).map((what) => what.split(" ")[1]!))];
  const of = (kind: string): number => (has[`${from} ${kind}`] ?? 0) + (has[`${into} ${kind}`] ?? 0);
  const owed = -of("points-debt");
  const usable = Math.min(owed, of("points"));
  const pending = Math.min(owed - usable, of("points-pending"));
  const paid: Readonly<Record<string, number>> = { points: -usable, "points-pending": -pending, "points-debt": usable + pending };
  const others = Object.entries(has).filter(([what]) => ![from, into].some((id) => what.startsWith(id)));
  const theirs = kinds.map((kind): [string, number] => [`${into} ${kind}`, of(kind) + (paid[kind] ?? 0)]);
  return Object.fromEntries([...others, ...theirs.filter(([, balance]) => balance !== 0)]);
}
/** Everything that is somebody's beside the book, by how much. */
const THINGS = `select 'principal' as what, coalesce(sum(principal_left_cents), 0)::int as n from value_lots where member_id = any($1)
  union all select 'gift', coalesce(sum(gift_left_cents), 0)::int from value_lots where member_id = any($1)
  union all select 'lots', count(*)::int from value_lots where member_id = any($1)
  union all select 'point lots', count(*)::int from point_lots where member_id = any($1)
  union all select 'cards', count(*)::int from times_cards where member_id = any($1)
  union all select 'times', coalesce(sum(left_times), 0)::int from times_cards where member_id = any($1) order by what`;
/** The highest level of these; orders that nobody has followed yet may move it either way. */
const LEVEL = `select coalesce(max(earned_rank), 0) as rank, exists (select from test_jobs) as waits from vip_members where member_id = any($1)`;

export const MERGE_STEPS: MemberSteps<"merge"> = {
  merge: async (run, given) => {
    const { world, members } = run;
    const [n, other] = await pairOf(world, members, given.who);
    const [from, into] = [members[n]!, members[other]!];
    const both = [from.id, into.id];
    await sendCodes(world, from, into);
    const [has, things] = [await world.holdings(), await world.owner(THINGS, [both])];
    const levelOf = async () => (await world.owner<{ rank: number; waits: boolean }>(LEVEL, [both]))[0]!;
    const level = await levelOf();
    try {
      await merge(world, from, into);
    } finally {
      // Whoever heard nothing looks: it is done wholly or not at all.
      const [gone] = await world.owner<{ status: number; merged_into: string | null }>(
        "select status, merged_into from members where id = $1",
        [from.id],
      );
      const merged = gone!.status === 5;
      expect(gone).toEqual({ status: merged ? 5 : 1, merged_into: merged ? into.id : null });
      expect(await world.holdings()).toEqual(merged ? together(has, from.id, into.id) : has);
      if (merged) {
        expect(await world.owner(THINGS, [[into.id]])).toEqual(things);
        if (!level.waits) expect((await levelOf()).rank).toBeGreaterThanOrEqual(level.rank);
        members[n] = await apart(() => world.member());
      } else expect(await world.owner(THINGS, [both])).toEqual(things);
    }
  },
};
