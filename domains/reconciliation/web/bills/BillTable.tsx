import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { AT_WORK, billFileStatus, billOrigin, billSource, billType, type listBillFiles } from "../../contract/index.ts";

export type BillFile = RowOf<typeof listBillFiles>;

/** Bills and what became of each, with how far one is that is being read. */
export function BillTable({
  title,
  files,
  withDay = false,
  onCancel,
}: {
  title: string;
  files: readonly BillFile[];
  withDay?: boolean;
  onCancel?: (file: BillFile) => void;
}): ReactNode {
  return (
    <Group title={title}>
      {files.length === 0 ? (
        <p className="note">还没有账单。</p>
      ) : (
        <ul className="recon-files">
          {files.map((file) => (
            <li key={file.id}>
              <span className="recon-file">
                <StatusTag of={billFileStatus} code={file.status} />
                <span>
                  {withDay && `${file.day} ${file.merchantName} `}
                  {billSource.label(file.source)}
                  {billType.label(file.type)}
                </span>
                <span className="note num">
                  {billOrigin.label(file.origin)}
                  {file.origin === "upload" && file.fileName !== null && ` ${file.fileName}`}
                  {file.rowCount > 0 && `，${file.rowCount.toLocaleString("en-US")} 行`}
                </span>
                <Time at={file.createdAt} />
                {onCancel && (file.status === "uploading" || file.status === "waiting") && (
                  <Button tone="link" onClick={() => onCancel(file)}>
                    取消
                  </Button>
                )}
              </span>
              {AT_WORK.includes(file.status) && (
                <progress aria-label={`${file.day} 账单进度`} max={100} {...(file.percent === null ? {} : { value: file.percent })} />
              )}
              {file.failure && <span className={file.status === "failed" ? "recon-failure" : "note"}>{file.failure}</span>}
              {file.nextTryAt && (
                <span className="note">
                  下次获取 <Time at={file.nextTryAt} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Group>
  );
}
