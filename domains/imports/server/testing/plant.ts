import type { Login } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** Imports of one account: at rest, at work. */
export type ImportsOf = Readonly<Record<"resting" | "running", string>>;
/** Who may import merchants. */
export const IMPORTERS: readonly Login[] = ["sp01", "sp02", "agent01", "agent02", "team01"];
/** Two imports of each: one that rests with a wrong line and a right one, one at work. */
async function startImports({ services, send }: Soil): Promise<Map<Login, ImportsOf>> {
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
export const importsByLogin = plant(startImports);
