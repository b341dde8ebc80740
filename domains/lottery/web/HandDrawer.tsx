import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { findWin, handOverWin, winStatus } from "../contract/index.ts";
import { LOTTERY_READS, minute } from "./lottery-words.ts";

type Win = OutputOf<typeof findWin>;

/** 兑奖: the code that the customer shows, what it is for, and the store that hands it over. */
export function HandDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const [win, setWin] = useState<Win>();
  if (win && win.status === 0) return <HandForm of={win} onClose={onClose} />;
  return (
    <Drawer title="兑奖" onClose={onClose}>
      <FindCode onFound={setWin} />
      {win && (
        <>
          <p className="notice notice-warn">
            {win.status === 1
              ? `已经兑过了，请勿再给：${win.settledAt ? minute(win.settledAt) : ""} ${win.storeName}`
              : `这个奖不能兑：${winStatus.label(win.status)}`}
          </p>
          <Facts of={win} />
        </>
      )}
    </Drawer>
  );
}
function FindCode({ onFound }: { onFound: (win: Win | undefined) => void }): ReactNode {
  const [code, setCode] = useState("");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const id = useId();
  const find = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    onFound(undefined);
    const typed = code.replaceAll(/\s/g, "");
    if (!/^\d{10}$/.test(typed)) return setFault("兑奖码是 10 位数字");
    setBusy(true);
    await call(findWin, { code: typed }, { quiet: true }).then(
      (found) => {
        setFault(undefined);
        onFound(found);
      },
      (error: ApiError) => setFault(error.status === 404 ? "没有这个兑奖码，请核对后再输" : error.message),
    );
    setBusy(false);
  };
  return (
    <form className="form" id={id} noValidate onSubmit={(event) => void find(event)}>
      <Field
        of={{ name: "code", value: code, error: fault, set: (text) => setCode(text ?? "") }}
        label="兑奖码"
        help="顾客会员页「活动」里的 10 位数字"
      >
        {(f) => <TextInput {...f} inputMode="numeric" maxLength={14} autoComplete="off" autoFocus />}
      </Field>
      <p>
        <Button tone="primary" type="submit" busy={busy}>
          查奖品
        </Button>
      </p>
    </form>
  );
}
function Facts({ of }: { of: Win }): ReactNode {
  return (
    <Group
      title="奖品"
      pairs={[
        ["奖品", <b key="prize">{of.prize}</b>],
        ["活动", of.lotteryName],
        ["会员号", of.memberNo],
        ["摇中时间", `${minute(of.drawnAt)}，第 ${of.drawNo.toLocaleString("en-US")} 次`],
        ["兑奖期限", `${minute(of.until)} 前`],
      ]}
    />
  );
}
function HandForm({ of: win, onClose }: { of: Win; onClose: () => void }): ReactNode {
  const [only] = win.stores;
  const form = useForm(handOverWin, {
    initial: { id: win.id, ...(win.stores.length === 1 && only && { storeId: only.id }) },
    draft: false,
    done: `已兑 ${win.prize}`,
    refreshes: LOTTERY_READS,
    onDone: onClose,
    ask: ({ storeId }) => ({
      text: `把「${win.prize}」给会员 ${win.memberNo}，在 ${win.stores.find(({ id }) => id === storeId)?.name ?? ""} 兑？兑了不能撤回。`,
      ok: "给了，确认兑奖",
    }),
  });
  return (
    <FormDrawer form={form} title="兑奖" submit={`兑 ${win.prize}`} onClose={onClose}>
      <Facts of={win} />
      <Field of={form.field("storeId")} label="在哪家门店兑">
        {(f) => <PickOne {...f} options={win.stores.map(({ id, name }) => ({ value: id, label: name }))} />}
      </Field>
    </FormDrawer>
  );
}
