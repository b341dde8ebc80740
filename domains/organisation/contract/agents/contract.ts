import { write } from "@zhangfang/contract/endpoint.ts";
import { day, done, id, line } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

/** An agent's contract; only who is signed signs in and is given merchants. The ways between them stand in `app.state_edges`. */
export const contractStatus = labelled({
  0: ["未启用", "ended"],
  1: ["待审核", "warn"],
  2: ["已签约", "good"],
  3: ["过期", "bad"],
  4: ["注销", "ended"],
  5: ["驳回", "bad"],
});
/** 已签约: a contract that holds. */
export const SIGNED = 2;
export const verdict = labelled({ approve: ["通过", "good"], reject: ["驳回", "bad"] });

const of = { id, version: z.int() };
const why = line(200, 1, "请填写原因");
/** The last day on which a contract holds. */
const contractUntil = day;

/** 提交审核: the period of a contract that was never signed or was rejected. */
export const submitAgentContract = write({
  path: "/api/organisation/agents/contract/submit",
  title: "提交代理商合同",
  access: "/agent/agent/contract",
  input: z.object({ ...of, contractFrom: day, contractUntil }).refine((given) => given.contractFrom <= given.contractUntil, {
    path: ["contractUntil"],
    message: "到期日不能早于开始日",
  }),
  output: done,
});
/** 审核: approved, the agent may sign in; rejected, with the reason that whoever submitted it reads. */
export const reviewAgentContract = write({
  path: "/api/organisation/agents/contract/review",
  title: "审核代理商合同",
  access: "/agent/agent/review",
  input: z
    .object({ ...of, verdict: z.enum(["approve", "reject"], "请选择审核结果"), why: line(200).optional() })
    .refine((given) => given.verdict === "approve" || Boolean(given.why), { path: ["why"], message: "请填写驳回原因" }),
  output: done,
});
/** 续约: a later end for a contract that holds or has expired. */
export const renewAgentContract = write({
  path: "/api/organisation/agents/contract/renew",
  title: "代理商续约",
  access: "/agent/agent/contract",
  input: z.object({ ...of, contractUntil }),
  output: done,
});
/** 注销: the end of it for good. Ends the sessions of the agent and its salesmen; its merchants stay as they are. */
export const cancelAgentContract = write({
  path: "/api/organisation/agents/contract/cancel",
  title: "注销代理商",
  access: "/agent/agent/contract",
  input: z.object({ ...of, why }),
  output: z.object({ endedSessions: z.int() }),
});
