import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { saveCsv } from "@zhangfang/web/save-csv.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { type Import, tellPasswords } from "../contract.ts";
import type { About } from "./ChooseSheet.tsx";
import { whole } from "./words.ts";

type Told = OutputOf<typeof tellPasswords>["accounts"];

/** The first passwords of the accounts that were made: asked for when they are wanted, saved as a file, and nowhere else. */
export function FirstPasswords({ data, about }: { data: Import; about: About }): ReactNode {
  const [told, setTold] = useState<Told>([]);
  const [left, setLeft] = useState<number>();
  const [busy, setBusy] = useState(false);
  const ask = async (): Promise<void> => {
    setBusy(true);
    const all: Told = [...told];
    try {
      for (;;) {
        const answer = await call(tellPasswords, { id: data.id });
        all.push(...answer.accounts);
        setTold([...all]);
        setLeft(answer.left);
        if (answer.left === 0) break;
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setBusy(false);
      // What came is kept even where the rest did not come: it is told once.
      if (all.length > 0) saveTold(about, all);
    }
  };
  return (
    <section className="import-passwords">
      <p>
        <b>主账号的初始密码</b>
        <span className="note">每个密码只给出一次，24 小时内有效，首次登录须换成自己的密码。</span>
      </p>
      {busy || left !== undefined ? (
        <p role="status" className="note num">
          {busy
            ? `正在生成，已有 ${whole(told.length)} 个`
            : told.length > 0
              ? `已生成 ${whole(told.length)} 个，文件已保存`
              : "初始密码都已给出；遗失的请重置密码"}
        </p>
      ) : null}
      {(left === undefined || left > 0 || told.length > 0) && (
        <Button busy={busy} onClick={() => void (left === 0 && told.length > 0 ? saveTold(about, told) : ask())}>
          {left === 0 ? "再存一次文件" : "生成并下载"}
        </Button>
      )}
    </section>
  );
}
const saveTold = (about: About, told: Told): void =>
  saveCsv(`${about.title}初始密码.csv`, [
    [about.title, "登录名", "初始密码"],
    ...told.map(({ title, login, password }) => [title, login, password]),
  ]);
