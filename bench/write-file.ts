import type { ExportRow } from "@zhangfang/domains/exports/contract.ts";

interface Wanted {
  readonly source: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly format: "xlsx" | "csv";
}
/** Asks a running service for a file of a list, waits until its job has written it, and throws it away again. */
export async function writeFile(port: number, token: string, wanted: Wanted): Promise<ExportRow & { readonly seconds: number }> {
  const call = async <T>(verb: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: verb,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const begun_ms = Date.now();
  const { id } = await call<{ id: string }>("POST", "/api/exports", { requestId: crypto.randomUUID(), ...wanted });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const row = (await call<{ items: ExportRow[] }>("GET", "/api/exports")).items.find((one) => one.id === id)!;
    if (row.status === 0) continue;
    const seconds = (Date.now() - begun_ms) / 1000;
    if (row.status !== 1) throw new Error(`export failed: ${row.failure}`);
    await call("POST", "/api/exports/remove", { id });
    return { ...row, seconds };
  }
}
