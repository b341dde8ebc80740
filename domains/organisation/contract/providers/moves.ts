import { write } from "@zhangfang/contract/endpoint.ts";
import { id, line, oneOf } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { contractMove } from "./states.ts";

/** Moves a contract on. Cancelling ends every session of the tree; its tills go on taking payments. */
export const moveContract = write({
  path: "/api/organisation/providers/contract",
  title: "变更服务商合同",
  access: "/admin/serviceProvider/contract",
  input: z
    .object({ id, version: z.int(), move: oneOf(contractMove), note: line(200).optional() })
    .refine((given) => given.note || (given.move !== "reject" && given.move !== "cancel"), { path: ["note"], message: "请填写原因" }),
  output: z.object({ ok: z.literal(true), endedSessions: z.int() }),
});
