import { afterAll, beforeAll, expect, test } from "vitest";
import { randomBytes } from "node:crypto";
import {
  authorizeQrCode,
  confirmQrRequest,
  createQrRequest,
  getAccount,
  manualLogin,
  pollQrRequest,
  QR_VERIFIER_HEADER,
  resetPassword,
  scanQrRequest,
} from "../../contract/index.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

type Request = Awaited<ReturnType<typeof ask>>;
const ask = () => world.call(createQrRequest, undefined, {}, { headers: { "user-agent": "Firefox" }, ip: "198.51.100.4" });
const shown = (verifier: string) => ({ headers: { [QR_VERIFIER_HEADER]: verifier } });
const poll = async (request: Request, verifier = request.verifier) =>
  (await world.call(pollQrRequest, undefined, { requestId: request.requestId }, shown(verifier))).state;
const fetchToken = (request: Request, verifier = request.verifier) =>
  world.call(authorizeQrCode, undefined, { requestId: request.requestId }, shown(verifier));
const notFetched = async (request: Request, verifier = request.verifier) =>
  (await world.refused(authorizeQrCode, undefined, { requestId: request.requestId }, shown(verifier))).code;
const scan = async (request: Request, login: string) =>
  world.call(scanQrRequest, await world.signIn(login), { requestId: request.requestId });
const confirm = async (request: Request, login: string, matchNumber = request.matchNumber, accept = true) =>
  world.call(confirmQrRequest, await world.signIn(login), { requestId: request.requestId, accept, matchNumber });

test("a code that is scanned and confirmed signs in the browser that asked, once", async () => {
  const request = await ask();
  expect(await poll(request)).toBe("waiting");
  expect(await notFetched(request)).toBe("qr.waiting");
  expect(await scan(request, "mch01")).toMatchObject({ ip: "198.51.100.4", device: "Firefox" });
  expect(await poll(request)).toBe("scanned");
  expect(await notFetched(request)).toBe("qr.waiting");
  expect(await confirm(request, "mch01")).toEqual({ confirmed: true });
  expect(await poll(request)).toBe("confirmed");
  const token = await fetchToken(request);
  expect((await world.call(getAccount, token, {})).login).toBe("mch01");
  expect(await notFetched(request)).toBe("qr.expired");
  expect(await poll(request)).toBe("expired");
});

test("of 50 fetches at the same moment one gets the token", async () => {
  const request = await ask();
  await scan(request, "mch01");
  await confirm(request, "mch01");
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => fetchToken(request)));
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
});

test("another browser that has the code but not the verifier learns and gets nothing", async () => {
  const request = await ask();
  const other = await ask();
  await scan(request, "mch01");
  await confirm(request, "mch01");
  for (const verifier of ["", other.verifier, `${request.verifier}x`]) {
    expect(await poll(request, verifier)).toBe("expired");
    expect(await notFetched(request, verifier)).toBe("qr.expired");
  }
  expect(await fetchToken(request)).toBeTruthy();
});

test("it ends after 120 seconds at every step", async () => {
  const [waiting, scanned, confirmed] = [await ask(), await ask(), await ask()];
  await scan(scanned, "mch01");
  await scan(confirmed, "mch01");
  await confirm(confirmed, "mch01");
  world.services.clock.advance(120_001);
  for (const request of [waiting, scanned, confirmed]) {
    expect(await poll(request)).toBe("expired");
    expect(await notFetched(request)).toBe("qr.expired");
  }
  await expect(scan(waiting, "mch01")).rejects.toMatchObject({ status: 404 });
  await expect(confirm(scanned, "mch01")).rejects.toMatchObject({ status: 404 });
});

test("whoever scanned confirms, and nobody else; a second person can't take a scanned code over", async () => {
  const request = await ask();
  await scan(request, "mch01");
  await expect(scan(request, "mch02")).rejects.toMatchObject({ status: 404 });
  await expect(confirm(request, "mch02")).rejects.toMatchObject({ status: 404 });
  await scan(request, "mch01");
  await confirm(request, "mch01");
  await expect(confirm(request, "mch01")).rejects.toMatchObject({ status: 404 });
});

test("a confirmation without a scan, with a wrong number, or a no, gives no token and ends it", async () => {
  const unscanned = await ask();
  await expect(confirm(unscanned, "mch01")).rejects.toMatchObject({ status: 404 });
  const wrong = await ask();
  await scan(wrong, "mch01");
  expect(await confirm(wrong, "mch01", wrong.matchNumber === "00" ? "01" : "00")).toEqual({ confirmed: false });
  await expect(confirm(wrong, "mch01")).rejects.toMatchObject({ status: 404 });
  expect(await poll(wrong)).toBe("refused");
  expect(await notFetched(wrong)).toBe("qr.expired");
  const no = await ask();
  await scan(no, "mch01");
  expect(await confirm(no, "mch01", no.matchNumber, false)).toEqual({ confirmed: false });
  expect(await notFetched(no)).toBe("qr.expired");
});

test("a session that acts for somebody can neither scan nor confirm", async () => {
  const acting = await world.call(manualLogin, await world.signIn("sp01"), { userId: world.tree.users.mch01 });
  const request = await ask();
  expect((await world.refused(scanQrRequest, acting, { requestId: request.requestId })).code).toBe("acting");
  await scan(request, "mch01");
  expect(
    (await world.refused(confirmQrRequest, acting, { requestId: request.requestId, accept: true, matchNumber: request.matchNumber })).code,
  ).toBe("acting");
});

test("a confirmed code dies with the password reset of whoever confirmed", async () => {
  const request = await ask();
  await scan(request, "mch07");
  await confirm(request, "mch07");
  await world.call(resetPassword, await world.signIn("sp01"), { id: world.tree.users.mch07 });
  expect(await notFetched(request)).toBe("qr.expired");
});

test("made-up request ids open nothing, and malformed ones are refused as such", async () => {
  const request = await ask();
  for (let n = 0; n < 200; n++)
    expect(
      (await world.call(pollQrRequest, undefined, { requestId: randomBytes(16).toString("base64url") }, shown(request.verifier))).state,
    ).toBe("expired");
  for (const requestId of ["", "x", `${request.requestId}=`, "' or 1=1 --           "])
    expect((await world.refused(authorizeQrCode, undefined, { requestId }, shown(request.verifier))).status).toBe(400);
});

test("neither the request id nor the verifier stands in the database", async () => {
  const request = await ask();
  const [row] = await world.truth<{ text: string }>(
    "select to_jsonb(q)::text as text from qr_requests q order by created_at desc, expires_at desc limit 1",
  );
  expect(row!.text).not.toContain(request.requestId);
  expect(row!.text).not.toContain(request.verifier);
});
