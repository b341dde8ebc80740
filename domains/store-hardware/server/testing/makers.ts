import { startSimulator } from "../../../channels/server/simulator-for-tests.ts";
import type { Vendor } from "../../contract/index.ts";

export interface Shown {
  readonly vendor: Vendor;
  readonly sn: string;
  readonly content: string;
  readonly shown: string;
  readonly commands: readonly string[];
  readonly copies: number;
}
export const ACCOUNTS = {
  feie: { account: "demo@zhangfang", secret: "feie-secret-1" },
  yilian: { account: "1098765432", secret: "yilian-secret-1" },
  borui: { account: "zhangfang", secret: "123456789021" },
} as const;

/** The makers' clouds in a process of their own, with an account at each. */
export async function startMakers() {
  const simulator = await startSimulator();
  const ask = async (verb: "GET" | "POST", name: string, body: object = {}) => {
    const answer = await fetch(`${simulator.url}/_devices/${name}`, {
      method: verb,
      headers: { "content-type": "application/json" },
      ...(verb === "POST" && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as {
      outputs: Shown[];
      devices: { vendor: Vendor; sn: string; key: string; bound: boolean; online: boolean }[];
    };
  };
  for (const [vendor, account] of Object.entries(ACCOUNTS)) await ask("POST", "accounts", { vendor, ...account });
  return {
    ask,
    port: Number(new URL(simulator.url).port),
    urlOf: (vendor: Vendor) => `${simulator.url}/_${vendor}`,
    outputs: async () => (await ask("GET", "state")).outputs,
    /** A device as it left the factory. */
    device: async (vendor: Vendor, n = 0) => (await ask("GET", "state")).devices.filter((one) => one.vendor === vendor)[n]!,
    fault: (vendor: Vendor, kind: "refuse" | "lost-request" | "lost-reply" | "garbled", times = 1) =>
      ask("POST", "faults", { vendor, kind, times }),
    stop: () => simulator.stop(),
  };
}
export type Makers = Awaited<ReturnType<typeof startMakers>>;
