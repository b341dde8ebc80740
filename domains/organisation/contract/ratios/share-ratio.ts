import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, id, instant, oneOf, rate } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { ratioStart } from "../agents/agent.ts";

/** Who has a ratio besides agents, whose own stands in their contract. */
export const ratioLevel = labelled({ group: "业务集团", team: "业务团队", salesman: "业务员" });
export type RatioLevel = CodeOf<typeof ratioLevel>;

const ACCESS = ["/businessGroup/businessGroup/ratio", "/businessGroup/businessTeam/ratio", "/salesman/salesman/ratio"] as const;
const owner = { level: oneOf(ratioLevel), id };

/** What part of the provider's margin a group, a team or a salesman gets, today and from tomorrow on, and its history. */
export const getShareRatio = read({
  path: "/api/organisation/share-ratios",
  title: "分润比例",
  access: ACCESS,
  input: z.object(owner),
  output: z.object({
    name: z.string(),
    /** How many times it was set. */
    version: z.int(),
    ratio: z.int(),
    tomorrow: z.int(),
    /** How high the provider lets a ratio be. */
    limit: z.int(),
    /** Newest first. */
    history: z.array(z.object({ ratio: z.int(), effectiveFrom: day, setBy: z.string(), setAt: instant })),
  }),
});
/** Sets the ratio from today or tomorrow on; days before keep theirs. */
export const setShareRatio = write({
  path: "/api/organisation/share-ratios/set",
  title: "调整分润比例",
  access: ACCESS,
  input: z.object({ ...owner, version: z.int(), ratio: rate, start: oneOf(ratioStart) }),
  output: z.object({ effectiveFrom: day }),
});
