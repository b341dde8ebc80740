import { forbidden } from "@zhangfang/server/calls/errors.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import type { Receiver } from "../contract/index.ts";
import type { Owner } from "./lines/line.ts";
import { NOBODY } from "./lines/post-entry.ts";

/** The receiver that a session is of: an agent, a group, a team or a salesman. @throws 403 for everybody else */
export function ownReceiver({ level, provider, agent, group, team, salesman }: Scope): {
  provider: string;
  receiver: Receiver;
  owner: Owner;
} {
  const is = (receiver: Receiver, column: keyof typeof NOBODY, id: string | undefined) => {
    if (provider === undefined || id === undefined) throw forbidden();
    return { provider, receiver, owner: { ...NOBODY, [column]: id, receiver_id: id } };
  };
  if (level === "AG") return is("agent", "agent_id", agent);
  if (level === "GP") return is("group", "business_group_id", group);
  if (level === "TM") return is("team", "business_team_id", team);
  if (level === "SM") return is("salesman", "salesman_id", salesman);
  throw forbidden();
}
