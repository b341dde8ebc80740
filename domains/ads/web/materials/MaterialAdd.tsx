import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { call } from "@zhangfang/web/api/api.ts";
import { FileDrop } from "@zhangfang/web/form/files/FileDrop.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { cancelUpload, getMaterialById, listUploads, MATERIAL_LIMITS, materialKind } from "../../contract/index.ts";
import "./materials.css";
import { type Item, type Uploads, useUploads } from "./use-uploads.ts";
import { sizeWords } from "./words.ts";

/** So many files are taken at once. */
const AT_MOST = 50;
const ACCEPT = Object.keys(MATERIAL_LIMITS).join(",");
const PHASES: Readonly<Record<Item["phase"], string>> = {
  waiting: "等待上传",
  reading: "正在读取文件",
  sending: "正在上传",
  checking: "正在检查内容",
  paused: "已暂停",
  failed: "上传中断",
  refused: "未通过检查",
  done: "上传完成，等待审核",
};

/** 新增素材: several files at once, each with its progress and, where it is not taken, why. With `replace` in the address, another content of one material. */
export function MaterialAdd(): ReactNode {
  const replaces = useSearchParams()[0].get("replace") ?? undefined;
  const before = useDetail(getMaterialById, replaces && { material_id: replaces });
  const uploads = useUploads(replaces);
  return (
    <section className="form-screen materials-add" aria-label="新增素材">
      <header className="screen-head">
        <h1>{replaces ? "更换素材文件" : "新增素材"}</h1>
        <div className="screen-acts">
          <Link to="/ad/materials">返回素材列表</Link>
        </div>
      </header>
      <div className="sheet">
        {before.data && (
          <p className="note">
            更换{materialKind.label(before.data.kind)}「{before.data.name}」的文件。新内容要重新审核，审核通过前不会播放。
          </p>
        )}
        <FileDrop
          label="选择素材文件"
          accept={ACCEPT}
          multiple={replaces === undefined}
          onFiles={(files) => uploads.add(files.slice(0, AT_MOST))}
        >
          <p>或把文件拖到这里{replaces ? "" : "，可以一次放多个"}</p>
          <p className="note">
            图片：JPEG、PNG，不超过 2 MB；视频：MP4（H.264 编码），不超过 50 MB、10 分钟。照片里的拍摄位置等信息会自动去除。
          </p>
        </FileDrop>
        {uploads.items.length > 0 && (
          <ul className="upload-items" aria-label="本次上传">
            {uploads.items.map((item) => (
              <Row key={item.key} item={item} uploads={uploads} />
            ))}
          </ul>
        )}
        <Unfinished uploads={uploads} />
      </div>
    </section>
  );
}

function Row({ item, uploads }: { item: Item; uploads: Uploads }): ReactNode {
  const { file, phase, done, message, sent } = item;
  const moving = phase === "sending" || phase === "checking" || phase === "reading";
  const bad = phase === "refused" || phase === "failed";
  return (
    <li className="upload-item">
      <div className="upload-name">
        <strong>{file.name}</strong>
        <span className="num upload-size">{sizeWords(file.size)}</span>
      </div>
      {(moving || phase === "paused") && (
        <progress aria-label={`${file.name} 上传进度`} max={file.size} {...(phase === "reading" ? {} : { value: done })} />
      )}
      <p className={bad ? "upload-word upload-bad" : "upload-word"} role={bad ? "alert" : "status"}>
        {sent?.known ? `内容与素材「${sent.name}」相同，无需再次上传` : bad ? `${PHASES[phase]}：${message}` : PHASES[phase]}
        {phase === "sending" && <span className="num"> {Math.floor((done / file.size) * 100)}%</span>}
      </p>
      <div className="upload-acts">
        {(phase === "sending" || phase === "reading") && (
          <Button small aria-label={`暂停 ${file.name}`} onClick={() => uploads.pause(item.key)}>
            暂停
          </Button>
        )}
        {(phase === "paused" || phase === "failed") && (
          <Button small tone="primary" aria-label={`继续 ${file.name}`} onClick={() => uploads.goOn(item.key)}>
            {phase === "paused" ? "继续" : "重试"}
          </Button>
        )}
        {sent && <Link to={`/ad/materials?id=${sent.material_id}`}>查看素材</Link>}
        {phase !== "checking" && (
          <Button
            small
            tone="quiet"
            aria-label={`${phase === "done" || bad ? "移除" : "取消"} ${file.name}`}
            onClick={() => uploads.remove(item.key)}
          >
            {phase === "done" || bad ? "移除" : "取消"}
          </Button>
        )}
      </div>
    </li>
  );
}

/** What was begun before this page was loaded: the same file chosen again goes on from there. */
function Unfinished({ uploads }: { uploads: Uploads }): ReactNode {
  const client = useQueryClient();
  const begun = useQuery({
    queryKey: [listUploads.path],
    queryFn: ({ signal }) => call(listUploads, {}, { signal, quiet: true }),
    staleTime: 0,
  });
  const here = new Set(uploads.items.map(({ uploadId }) => uploadId));
  const left = (begun.data ?? []).filter(({ id }) => !here.has(id));
  if (left.length === 0) return null;
  const cancel = async (id: string): Promise<void> => {
    await call(cancelUpload, { id }).catch(() => undefined);
    void client.invalidateQueries({ queryKey: [listUploads.path] });
  };
  return (
    <section className="group" aria-label="未完成的上传">
      <h2>未完成的上传</h2>
      <p className="note">重新选择同一个文件，会从中断的地方继续；一天内没有继续的会自动清除。</p>
      <ul className="upload-items">
        {left.map((one) => (
          <li key={one.id} className="upload-item">
            <div className="upload-name">
              <strong>{one.fileName}</strong>
              <span className="num upload-size">
                {sizeWords(one.doneBytes)} / {sizeWords(one.sizeBytes)}
              </span>
            </div>
            <progress aria-label={`${one.fileName} 已上传`} max={one.sizeBytes} value={one.doneBytes} />
            <p className="upload-word">
              开始于 <Time at={one.createdAt} />
            </p>
            <div className="upload-acts">
              <Button small tone="quiet" aria-label={`取消 ${one.fileName}`} onClick={() => void cancel(one.id)}>
                取消
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
