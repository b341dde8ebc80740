import { signIn } from "../../demo/tree.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { jobs } from "../domains.ts";
import { type Caller, DISABLED, type Login, LOGINS, MERCHANT_KEYS, MERCHANTS } from "./people.ts";
import type { ExportsOf, HttpWorld, ImportsOf } from "./world.ts";

/** A session for each login, and the sessions that are none any more. */
export async function openSessions(till: TillWorld, services: Services): Promise<Map<Caller, string>> {
  const tokens = new Map<Caller, string>();
  for (const login of LOGINS) tokens.set(login, await signIn(services, login));
  for (const [stranger, end] of [
    ["logged-out", "update sessions set ended_at = now(), ended_why = '退出登录' where token_hash = sha256($1)"],
    ["expired", "update sessions set expires_at = created_at where token_hash = sha256($1)"],
    ["disabled", "update users set state = 'disabled' where id = (select user_id from sessions where token_hash = sha256($1))"],
  ] as const) {
    const token = await signIn(services, stranger === "disabled" ? DISABLED : "mch01");
    await till.owner(end, [Buffer.from(token)]);
    tokens.set(stranger, token);
  }
  const good = tokens.get("mch01")!;
  tokens.set("tampered", `${good.slice(0, -1)}${good.endsWith("A") ? "B" : "A"}`);
  return tokens;
}

/** Three exports of each login's: one that is ready, one that waits, one that failed. */
export async function startExports(till: TillWorld, services: Services, send: HttpWorld["send"]): Promise<Map<Login, ExportsOf>> {
  const write = jobs.find((job) => job.name === "write-export")!;
  const made = new Map<Login, ExportsOf>();
  const start = async (login: Login): Promise<string> => {
    const body = {
      requestId: services.ids.uuid(services.clock.now_ms()),
      source: "pay-orders",
      filter: {},
      columns: ["orderNo", "storeName", "paidCents"],
      format: "csv",
    };
    const answer = await send(login, { verb: "POST", path: "/api/exports", body });
    if (answer.status !== 200) throw new Error(`${login} could not export: ${answer.text}`);
    return (answer.body as { id: string }).id;
  };
  for (const login of LOGINS) {
    const ready = await start(login);
    await write.run(services, { ownerUserId: till.tree.users[login], exportId: ready });
    const failed = await start(login);
    await till.owner("update export_files set status = 2, failure = '磁盘空间不足', finished_at = created_at where id = $1", [failed]);
    made.set(login, { ready, failed, waiting: "" });
  }
  // Those that wait come last, so that none stands before one that is to be written.
  for (const login of LOGINS) made.set(login, { ...made.get(login)!, waiting: await start(login) });
  return made;
}

/** A store of another platform for each merchant, mapped to its first own one. */
export async function saveOtherStores({ tree }: TillWorld, send: HttpWorld["send"]): Promise<HttpWorld["otherStores"]> {
  const saved = [];
  for (const merchant of MERCHANT_KEYS) {
    const merchantId = tree.merchants[merchant].id;
    const body = {
      merchantId,
      platform: "dy",
      platformStoreId: `dy-${merchant}`,
      name: "抖音店",
      storeId: tree.merchants[merchant].stores[0]!.id,
    };
    const answer = await send(MERCHANTS[merchant].provider, { verb: "POST", path: "/sfpfacadeservicepc/api/other_store/save", body });
    saved.push({ id: (answer.body as { id: string }).id, merchant, merchantId });
  }
  return saved;
}

/** Who may import merchants. */
export const IMPORTERS: readonly Login[] = ["sp01", "sp02", "agent01", "agent02", "team01"];
/** Two imports of each: one that rests with a wrong line and a right one, one at work. */
export async function startImports({ services }: TillWorld, send: HttpWorld["send"]): Promise<Map<Login, ImportsOf>> {
  const made = new Map<Login, ImportsOf>();
  const post = async (login: Login, path: string, body: object): Promise<{ id: string }> => {
    const answer = await send(login, { verb: "POST", path, body });
    if (answer.status !== 200) throw new Error(`${login} could not import: ${answer.text}`);
    return answer.body as { id: string };
  };
  const start = async (login: Login): Promise<string> => {
    const requestId = services.ids.uuid(services.clock.now_ms());
    const { id } = await post(login, "/api/imports", { requestId, source: "merchants", fileName: "商户.xlsx" });
    const cells = {
      name: "成都新茶",
      shortName: "新茶",
      contactName: "文新",
      contactPhone: "13912345678",
      login: `sheet-${services.ids.digits(9)}`,
    };
    const lines = [cells, { ...cells, contactPhone: "1" }].map((given, at) => ({ line: at + 2, cells: JSON.stringify(given) }));
    await post(login, "/api/imports/lines", { id, lines });
    return id;
  };
  for (const login of IMPORTERS) {
    const running = await start(login);
    await post(login, "/api/imports/run", { id: running });
    made.set(login, { resting: await start(login), running });
  }
  return made;
}

/** Two findings about the first store of each merchant, as the morning's job leaves them. */
export async function findStores({ tree, owner, services }: TillWorld): Promise<HttpWorld["abnormal"]> {
  const found = [];
  for (const merchant of MERCHANT_KEYS)
    for (const handled of [false, true]) {
      const id = services.ids.uuid(services.clock.now_ms());
      const { id: storeId, serviceProviderId, merchantId } = tree.merchants[merchant].stores[0]!;
      await owner(
        `insert into abnormal_stores (service_provider_id, id, merchant_id, store_id, reason, facts, since, status, found_at, seen_on, handled_at, note)
         values ($1, $2, $3, $4, $5, '{}', '2026-11-13', $6, '2026-11-20', '2026-11-20', $7, $8)`,
        [
          serviceProviderId,
          id,
          merchantId,
          storeId,
          handled ? 3 : 1,
          handled ? 1 : 0,
          handled ? "2026-11-20" : null,
          handled ? "装修" : null,
        ],
      );
      found.push({ id, merchant, store: 0, handled });
    }
  return found;
}

/** An area that can be taken away: no manager sees the store by it. */
export async function addFreeArea({ tree }: TillWorld, services: Services, send: HttpWorld["send"]): Promise<string> {
  const body = {
    requestId: services.ids.uuid(services.clock.now_ms()),
    name: "城西区",
    storeIds: [tree.merchants.mch01.stores.at(-1)!.id],
  };
  const answer = await send("mch01", { verb: "POST", path: "/api/stores/areas/add", body });
  return (answer.body as { id: string }).id;
}

/** A site of each provider at its first domain name, and a second name without one. */
export async function addSites(till: TillWorld): Promise<Record<"sp01" | "sp02", string>> {
  const made = { sp01: "", sp02: "" };
  for (const provider of ["sp01", "sp02"] as const) {
    const id = till.services.ids.uuid(till.services.clock.now_ms());
    const owner = till.tree.providers[provider];
    const [found] = await till.owner<{ host: string }>("select hosts[1] as host from service_providers where id = $1", [owner]);
    await till.owner("update service_providers set hosts = hosts || ('www.' || hosts[1]) where id = $1", [owner]);
    await till.owner(
      "insert into official_sites (service_provider_id, id, host, draft, created_at, updated_at) values ($1, $2, $3, $4, now(), now())",
      [
        owner,
        id,
        found!.host,
        JSON.stringify({ title: "官网", tagline: "", bannerUrl: null, sections: [], phone: "", email: "", address: "", icpNumber: "" }),
      ],
    );
    made[provider] = id;
  }
  return made;
}
