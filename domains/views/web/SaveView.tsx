import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { DAY_RANGE_WORDS, type DayRange } from "@zhangfang/contract/time.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { rangesOf, type ViewSaid } from "@zhangfang/web/list/views/view.ts";
import type { Viewed } from "@zhangfang/web/list/views/viewed.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { addView, listViews, shareView } from "../contract/index.ts";

/** What a list says now, with its days moving or as they are. */
export function saidNow({ list, settings }: Viewed, days: DayRange | null): ViewSaid {
  const { from: _from, to: _to, ...others } = list.filters;
  return { filters: days === null ? { ...list.filters } : others, days, sort: list.address.sort ?? null, columns: settings };
}

/** Keeps what a list shows under a name: two presses and the name. */
export function SaveView({ of, taken, onDone }: { of: Viewed; taken: readonly string[]; onDone: () => void }): ReactNode {
  const id = useId();
  const client = useQueryClient();
  const ranges = rangesOf(of.list.filters, today());
  const [name, setName] = useState("");
  const [days, setDays] = useState<DayRange | "">(of.view?.days && ranges.includes(of.view.days) ? of.view.days : (ranges[0] ?? ""));
  const [shared, setShared] = useState(false);
  const [requestId] = useState(() => crypto.randomUUID() as string);
  const [busy, run] = useRun([listViews]);
  const mayShare = useAct(shareView);
  const wrong = taken.includes(name.trim()) ? "已有同名视图" : undefined;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === "" || wrong !== undefined) return;
    void run(async () => {
      const said = saidNow(of, days === "" ? null : days);
      const { list } = of;
      const made = await call(addView, { requestId, path: list.path, list: list.endpoint.path, name, ...said } as never);
      if (shared) await call(shareView, { id: made.id, shared });
      await client.invalidateQueries({ queryKey: [listViews.path] });
      success(`已保存视图「${name.trim()}」`);
      list.showView({ id: made.id, ...said });
      onDone();
    });
  };
  const { from, to } = of.list.filters;
  return (
    <form className="saved-form" onSubmit={save}>
      <label htmlFor={id}>视图名称</label>
      <TextInput id={id} value={name} onChange={(text) => setName(text ?? "")} maxLength={20} />
      {wrong && (
        <p role="alert" className="field-error">
          {wrong}
        </p>
      )}
      {ranges.length > 0 && (
        <fieldset>
          <legend>日期</legend>
          {ranges.map((range) => (
            <label key={range}>
              <input type="radio" name={`${id}d`} checked={days === range} onChange={() => setDays(range)} /> 每次打开都是
              {DAY_RANGE_WORDS[range]}
            </label>
          ))}
          <label>
            <input type="radio" name={`${id}d`} checked={days === ""} onChange={() => setDays("")} /> 固定为 {from} 至 {to}
          </label>
        </fieldset>
      )}
      {mayShare && (
        <label>
          <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} /> 共享给本机构的同事
        </label>
      )}
      <Button tone="primary" type="submit" busy={busy} disabled={name.trim() === "" || wrong !== undefined}>
        保存视图
      </Button>
    </form>
  );
}
