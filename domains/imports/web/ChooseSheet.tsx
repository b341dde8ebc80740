import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { download } from "@zhangfang/web/api/api.ts";
import { FileDrop } from "@zhangfang/web/form/files/FileDrop.tsx";
import { Sending } from "@zhangfang/web/form/Sending.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { downloadTemplate, IMPORT_ROW_CAP, type getImportSource, importStatus } from "../contract.ts";
import { MapColumns } from "./MapColumns.tsx";
import { headingsOf, mappedSheet, readSheet, SheetError, type Table, tableOf } from "./sheet/read-sheet.ts";
import { useOthersSheet } from "./use-others-sheet.tsx";
import { useUpload } from "./use-upload.ts";
import { whole } from "./words.ts";

export type About = OutputOf<typeof getImportSource>;
interface Props {
  readonly source: string;
  readonly about: About;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
}

/** The first step: the template, a file, and what was imported lately. */
export function ChooseSheet({ source, about, onClose, onOpen }: Props): ReactNode {
  const upload = useUpload(source, onOpen);
  const [failure, setFailure] = useState<string>();
  const [read, setRead] = useState<{ readonly file: File; readonly table: Table }>();
  const others = useOthersSheet(source, about);
  const columns = about.columns.filter(({ key }) => key !== about.ownSheets?.column);
  const send = async (chosen: Readonly<Record<string, string>>): Promise<void> => {
    if (!read || !others.fixed) return;
    try {
      const sheet = mappedSheet(read.table, columns, chosen, others.fixed);
      if (!(await others.save(columns, chosen))) return;
      setRead(undefined);
      upload.start(read.file.name.slice(-120), sheet);
    } catch (error) {
      if (!(error instanceof SheetError)) throw error;
      setRead(undefined);
      setFailure(`${read.file.name}：${error.message}`);
    }
  };
  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setFailure(undefined);
    try {
      if (!about.ownSheets) return upload.start(file.name.slice(-120), await readSheet(file, about.columns));
      const table = await tableOf(file);
      headingsOf(table);
      setRead({ file, table });
    } catch (error) {
      if (!(error instanceof SheetError)) throw error;
      setFailure(`${file.name}：${error.message}`);
    }
  };
  return (
    <Drawer title={`导入${about.title}`} width={880} onClose={onClose}>
      {upload.progress ? (
        <Sending of={upload} label="检查进度" cancel="取消">
          正在检查 <span className="num">{`${whole(upload.progress.done)} / ${whole(upload.progress.of)}`}</span> 行
        </Sending>
      ) : read ? (
        <MapColumns
          fileName={read.file.name}
          headings={headingsOf(read.table)}
          columns={columns}
          known={others.known}
          onDone={(chosen) => void send(chosen)}
          onBack={() => setRead(undefined)}
        />
      ) : (
        <>
          <p className="import-lead">
            先检查、后导入：上传后只检查，确认导入前不改动任何数据，有误的行可在页面上改好。一次最多 {whole(IMPORT_ROW_CAP)} 行。
          </p>
          {others.choice}
          {(!about.ownSheets || others.fixed) && (
            <FileDrop accept=".xlsx,.csv" onFiles={([file]) => void choose(file)}>
              <p className="note">或把 .xlsx、.csv 文件拖到这里</p>
            </FileDrop>
          )}
          {failure && (
            <p role="alert" className="form-failure import-failure">
              {failure}
            </p>
          )}
          <Columns about={about} onTemplate={() => void download(downloadTemplate, { source })} />
          <Recent about={about} onOpen={onOpen} />
        </>
      )}
    </Drawer>
  );
}

function Columns({ about, onTemplate }: { about: About; onTemplate: () => void }): ReactNode {
  return (
    <section className="group">
      <h3 className="import-head">
        表头
        <Button tone="link" onClick={onTemplate}>
          下载模板
        </Button>
      </h3>
      <ul className="import-columns">
        {about.columns.map(({ key, label, required, help }) => (
          <li key={key}>
            {label}
            {required && <span className="import-required">必填</span>}
            {help && <span className="note">{help}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
function Recent({ about, onOpen }: { about: About; onOpen: (id: string) => void }): ReactNode {
  if (about.recent.length === 0) return null;
  return (
    <Group title="最近的导入">
      <ul className="import-recent">
        {about.recent.map((one) => (
          <li key={one.id}>
            <Button tone="link" onClick={() => onOpen(one.id)}>
              {one.fileName}
            </Button>
            <StatusTag of={importStatus} code={one.status} />
            <span className="note num">
              共 {whole(one.counts.total)} 行，已导入 {whole(one.counts.made)}，有误 {whole(one.counts.bad)}
            </span>
            <Time at={one.createdAt} />
          </li>
        ))}
      </ul>
    </Group>
  );
}
