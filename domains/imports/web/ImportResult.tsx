import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { ApiError, call, download } from "@zhangfang/web/api/api.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  downloadBadLines,
  getImport,
  type Import,
  importStatus,
  listImportRows,
  recheckLines,
  runImport,
  stopImport,
} from "../contract.ts";
import type { About } from "./ChooseSheet.tsx";
import { FirstPasswords } from "./FirstPasswords.tsx";
import { ImportLines } from "./ImportLines.tsx";
import { whole } from "./words.ts";

interface Props {
  readonly id: string;
  readonly about: About;
  readonly onClose: () => void;
  /** Another file. */
  readonly onOther: () => void;
  /** Something was made: lists are old. */
  readonly onMade: () => void;
}

/** The second step: what is right and what is wrong, repairing, importing, and how far it is. */
export function ImportResult({ id, about, onClose, onOther, onMade }: Props): ReactNode {
  const found = useQuery({
    queryKey: [getImport.path, id],
    queryFn: ({ signal }) => call(getImport, { id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 1 ? 1000 : false),
  });
  const data = found.data;
  useMade(data, onMade);
  return (
    <Drawer
      title={`导入${about.title}`}
      width={880}
      onClose={onClose}
      extra={data && <StatusTag of={importStatus} code={data.status} />}
      footer={data && <Acts about={about} data={data} onOther={onOther} />}
    >
      {found.error && <Failure error={found.error as never} retry={() => void found.refetch()} />}
      {!data && !found.error && <Skeleton rows={6} />}
      {data && (
        <>
          <Sums data={data} about={about} />
          {about.passwords && data.counts.made > 0 && data.status !== 1 && <FirstPasswords data={data} about={about} />}
          <ImportLines data={data} about={about} />
        </>
      )}
    </Drawer>
  );
}

/** Tells the list behind when the work is over. */
function useMade(data: Import | undefined, onMade: () => void): void {
  const client = useQueryClient();
  const before = useRef(data?.status);
  useEffect(() => {
    if (before.current === 1 && data && data.status !== 1) {
      void client.invalidateQueries({ queryKey: [listImportRows.path] });
      onMade();
    }
    before.current = data?.status;
  }, [data, client, onMade]);
}

function Sums({ data, about }: { data: Import; about: About }): ReactNode {
  const { counts, status } = data;
  const of = counts.made + counts.ready;
  return (
    <>
      <p className="import-lead">
        {data.fileName}，共 <span className="num">{whole(counts.total)}</span> 行：
        {[
          counts.made > 0 && `已导入 ${whole(counts.made)} ${about.unit}`,
          counts.ready > 0 && `可导入 ${whole(counts.ready)}`,
          counts.bad > 0 && `有误 ${whole(counts.bad)}`,
          counts.there > 0 && `无需导入 ${whole(counts.there)}（已是这样，不再改动）`,
        ]
          .filter(Boolean)
          .join("，")}
      </p>
      {data.failure && (
        <p role="alert" className="form-failure">
          {data.failure}
        </p>
      )}
      {status === 1 && (
        <p className="import-work">
          <progress aria-label="导入进度" max={Math.max(of, 1)} value={counts.made} />
          <span className="note">离开此页或退出登录不影响导入。</span>
        </p>
      )}
    </>
  );
}

function Acts({ about, data, onOther }: { about: About; data: Import; onOther: () => void }): ReactNode {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { counts, status, id } = data;
  const act = async <E extends typeof runImport | typeof recheckLines>(endpoint: E): Promise<OutputOf<E> | undefined> => {
    setBusy(true);
    try {
      return (await call<typeof runImport | typeof recheckLines>(endpoint, { id })) as OutputOf<E>;
    } catch (error) {
      // It has said why.
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setBusy(false);
      void client.invalidateQueries({ queryKey: [getImport.path, id] });
      void client.invalidateQueries({ queryKey: [listImportRows.path] });
    }
    return undefined;
  };
  if (status === 1) {
    return (
      <Button busy={busy} onClick={() => void act(stopImport)}>
        停止导入
      </Button>
    );
  }
  return (
    <>
      <Button onClick={onOther}>上传其他文件</Button>
      {counts.bad > 0 && (
        <>
          <Button onClick={() => void download(downloadBadLines, { id })}>下载有误的行</Button>
          <Button
            busy={busy}
            onClick={() => void act(recheckLines).then((done) => done && success(`检查完成，有误 ${done.counts.bad} 行`))}
          >
            重新检查
          </Button>
        </>
      )}
      {counts.ready > 0 && (
        <Button tone="primary" busy={busy} onClick={() => void act(runImport)}>
          {`导入 ${whole(counts.ready)} ${about.unit}${about.title}`}
        </Button>
      )}
    </>
  );
}
