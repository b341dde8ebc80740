import { type ReactNode, useState } from "react";
import type { InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { type ConfigCalls, type ConfigKey, type ConfigValue, valueWords } from "../contract/index.ts";

type Preview = OutputOf<ConfigCalls["preview"]>;
interface Props {
  readonly title: string;
  /** What the button says that it does. */
  readonly submit?: string;
  readonly calls: ConfigCalls;
  readonly keys: readonly ConfigKey[];
  readonly input: InputOf<ConfigCalls["preview"]>;
  /** What the person saw when they began, to say what somebody else changed meanwhile. */
  readonly seen?: ReadonlyMap<string, ConfigValue | null>;
  /** Saves with the preview's tag. @throws what the server refuses */
  save(tag: string): Promise<void>;
  onClose(): void;
}

/** 确认修改: which devices change from what to what, before anything is saved. */
export function PreviewDrawer({ title, submit = "保存", calls, keys, input, seen, save, onClose }: Props): ReactNode {
  const preview = useDetail(calls.preview, input);
  const [busy, setBusy] = useState(false);
  const data = preview.data;
  const go = async (): Promise<void> => {
    if (!data) return;
    setBusy(true);
    try {
      await save(data.tag);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      // Somebody was faster: the drawer shows what stands there now.
      await preview.refetch();
    } finally {
      setBusy(false);
    }
  };
  const writes = data?.now.filter(({ own, to }) => own !== to).length ?? 0;
  return (
    <Drawer
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button tone="primary" busy={busy} disabled={!data || writes === 0} onClick={() => void go()}>
            {data ? `${submit}，${data.changed} 台设备改变` : submit}
          </Button>
        </>
      }
    >
      {preview.error ? (
        <Failure error={preview.error as ApiError} retry={() => void preview.refetch()} />
      ) : data ? (
        <Body data={data} keys={keys} seen={seen} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Drawer>
  );
}

function Body({ data, keys, seen }: { data: Preview; keys: readonly ConfigKey[]; seen: Props["seen"] }): ReactNode {
  const keyOf = (ckey: string): ConfigKey | undefined => keys.find((one) => one.ckey === ckey);
  const say = (ckey: string, value: ConfigValue | null): string => {
    const key = keyOf(ckey);
    return value === null ? "继承" : key ? valueWords(key, value) : String(value);
  };
  const surprises = seen ? data.now.filter(({ ckey, own }) => seen.has(ckey) && seen.get(ckey) !== own) : [];
  const n = columns<Preview["now"][number]>();
  const d = columns<Preview["devices"][number]>();
  return (
    <>
      {surprises.map(({ ckey, own, changed_by }) => (
        <p key={ckey} className="notice notice-warn" role="alert">
          「{keyOf(ckey)?.name}」在你打开后被{changed_by ?? "别人"}改为{say(ckey, own)}
        </p>
      ))}
      <Group title="要保存的修改">
        <DataTable
          label="要保存的修改"
          rows={data.now}
          rowKey={(row) => `${row.item_id} ${row.ckey}`}
          columns={[
            n.text("item_name", "节点"),
            n.text("ckey", "设置项", (row) => keyOf(row.ckey)?.name ?? row.ckey),
            n.text("own", "现在", (row) => say(row.ckey, row.own)),
            n.text("to", "改为", (row) => <strong>{say(row.ckey, row.to)}</strong>),
          ]}
        />
      </Group>
      <Group title="对设备的影响">
        {data.changes.length === 0 ? (
          <p className="note">
            {data.below === 0
              ? "下面还没有设备，以后绑定的设备按这里生效。"
              : `下面 ${data.below} 台设备的生效值都不变：它们另有更近的设置，或者本来就是这个值。`}
          </p>
        ) : (
          <>
            <ul className="effects">
              {data.changes.map(({ ckey, from, to, devices }) => (
                <li key={`${ckey} ${String(from)} ${String(to)}`}>
                  {keyOf(ckey)?.name}：{say(ckey, from)} → <strong>{say(ckey, to)}</strong>
                  <span className="num"> {devices} 台</span>
                </li>
              ))}
            </ul>
            <p className="note">
              下面共 {data.below} 台设备，{data.changed} 台改变，{data.below - data.changed} 台不变（另有更近的设置或值相同）。
            </p>
            <DataTable
              label="改变的设备"
              rows={data.devices}
              columns={[d.text("sn", "设备号"), d.text("name", "名称"), d.text("merchantName", "商户"), d.text("storeName", "门店")]}
            />
            {data.changed > data.devices.length && <p className="note">列出前 {data.devices.length} 台。</p>}
          </>
        )}
      </Group>
    </>
  );
}
