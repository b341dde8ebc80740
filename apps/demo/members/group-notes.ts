import type { Services } from "@zhangfang/server/services.ts";
import { openWire, untilDone } from "../live.ts";
import { signIn } from "../tree/tree.ts";

const DAY_MS = 86_400_000;
/** A draft of the root's own, one that waits for its yes, and one that was sent, with its result. */
const NOTES = [
  { name: "冬至暖汤", text: "冬至那天来喝一碗热汤，凭会员码小菜免费。", to: "member", state: "draft" },
  { name: "老友回来", text: "好久没见，红汤给你热着。这周到店，冷锅串串买二送一。", to: "centre", state: "review" },
  { name: "新店开业", text: "天府三街店开业了，午市满 80 减 20，券在领券中心。", to: "centre", state: "sent" },
] as const;

/** Group notes of the first merchant's account. Its simulator tells how the last one ended. */
export async function fillNotes(services: Services): Promise<void> {
  const { wire, api } = openWire(services);
  const headersOf = async (login: string) => ({ authorization: `Bearer ${await signIn(services, login)}` });
  const [root, second] = [await headersOf("mch01"), await headersOf("coupon.mch01")];
  const post = (path: string, body: object, headers = second) => wire.post(`${api}/api/group-notes/${path}?_t=1`, body, headers);
  const { items } = (await wire.get(`${api}/api/group-notes/apps?_t=1`, root)) as { items: { id: string }[] };
  const appId = items[0]!.id;
  for (const [at, { name, text, to, state }] of NOTES.entries()) {
    const facts = { appId, name, kind: "text", content: { text, link: { to } }, audience: {} };
    const startsAt = state === "sent" ? null : new Date(services.clock.now_ms() + (at + 5) * DAY_MS).toISOString();
    const { id } = await post("add", { requestId: services.ids.uuid(services.clock.now_ms()), ...facts, startsAt });
    if (state === "draft") continue;
    await post("hand", { id, revision: 1 });
    if (state === "review") continue;
    await post("decide", { id, revision: 1, approve: true }, root);
    await sendOut(services, String(id), appId, root);
  }
}
/** Waits until WeChat has it, and lets it tell what became of it. */
async function sendOut(services: Services, id: string, appId: string, headers: Record<string, string>): Promise<void> {
  const { wire, api } = openWire(services);
  await untilDone(async () => {
    const { state } = await wire.get(`${api}/api/group-notes/one?id=${id}`, headers);
    if (state !== "confirming") throw new Error("not yet");
  });
  const simulator = `http://127.0.0.1:${services.config.simulator_port + 2}/wechat-mass`;
  const keys = await wire.get(`${api}/api/wx-apps/keys?id=${appId}`, headers);
  const { items } = (await wire.get(`${api}/api/wx-apps?pageSize=100`, headers)) as { items: { id: string; appId: string }[] };
  const to = { address: keys["url"], token: keys["token"], aesKey: keys["aesKey"], appId: items.find((one) => one.id === appId)!.appId };
  const ask = async (path: string, body: object) =>
    (await fetch(`${simulator}${path}`, { method: "POST", body: JSON.stringify(body) })).json();
  const { messages } = (await ask("", to)) as { messages: { msgId: string }[] };
  for (const { msgId } of messages) await ask("/finish", { ...to, msgId, status: "send success", filtered: 3, errors: 0 });
}
