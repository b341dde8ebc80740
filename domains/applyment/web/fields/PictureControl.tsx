import { type DragEvent, type ReactNode, useId, useState } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { Preview } from "@zhangfang/web/show/Picture.tsx";
import type { Field } from "../../contract/rules/dossier.ts";
import type { Pending, Pictures } from "./use-pictures.ts";

/** Pictures of one field: those that are there, those on their way, and the place for the next. */
export function PictureControl({
  id,
  field,
  files,
  locked,
  wrong,
  describedBy,
  pictures,
  onFiles,
}: {
  id: string;
  field: Field;
  files: readonly string[];
  locked: boolean;
  wrong: boolean;
  describedBy: string | undefined;
  pictures: Pictures;
  onFiles: (files: readonly string[]) => void;
}): ReactNode {
  const [seen, setSeen] = useState<string>();
  const waiting = pictures.pending.filter(({ path }) => path === field.path);
  const most = field.form === "picture" ? 1 : field.most;
  const busy = waiting.some(({ broken }) => broken === undefined);
  const room = field.form === "picture" ? !busy : files.length + waiting.length < most;
  const look = async (file: string): Promise<void> => setSeen(pictures.previewOf(file) ?? (await pictures.look?.(file)));
  return (
    <div className="dossier-tiles">
      {files.map((file, at) => (
        <Tile
          key={file}
          name={most === 1 ? field.label : `${field.label} ${at + 1}`}
          preview={pictures.previewOf(file)}
          onLook={pictures.look || pictures.previewOf(file) ? () => void look(file) : undefined}
          onRemove={locked ? undefined : () => onFiles(files.filter((one) => one !== file))}
        />
      ))}
      {waiting.map((one) => (
        <Waiting key={one.key} of={one} pictures={pictures} />
      ))}
      {!locked && room && (
        <Place
          id={id}
          field={field}
          swap={files.length > 0 && most === 1}
          label={files.length > 0 && most === 1 ? "换一张" : "点这里或拖进来"}
          note={most === 1 ? "" : `${files.length + waiting.length} / ${most} 张`}
          wrong={wrong}
          describedBy={describedBy}
          onChosen={(chosen) => pictures.add(field, chosen.slice(0, Math.max(1, most - files.length - waiting.length)))}
        />
      )}
      {locked && files.length === 0 && waiting.length === 0 && <p className="dossier-none">没有图片</p>}
      {seen !== undefined && <Preview url={seen} name={field.label} onClose={() => setSeen(undefined)} />}
    </div>
  );
}

function Tile({
  name,
  preview,
  onLook,
  onRemove,
}: {
  name: string;
  preview: string | undefined;
  onLook: (() => void) | undefined;
  onRemove: (() => void) | undefined;
}): ReactNode {
  return (
    <div className="dossier-tile">
      <div className="dossier-face">{preview ? <img src={preview} alt={name} /> : <Icon name="good" />}</div>
      <div className="dossier-acts">
        <span className="dossier-said">已上传</span>
        {onLook && (
          <Button tone="link" aria-label={`查看${name}`} onClick={onLook}>
            查看
          </Button>
        )}
        {onRemove && (
          <Button tone="link" aria-label={`移除${name}`} onClick={onRemove}>
            移除
          </Button>
        )}
      </div>
    </div>
  );
}

/** A picture on its way, or one that broke: it stays, and goes again from here. */
function Waiting({
  of: { key, name, preview, broken, base64, kilobytes, sent },
  pictures,
}: {
  of: Pending;
  pictures: Pictures;
}): ReactNode {
  return (
    <div className={broken ? "dossier-tile dossier-broken" : "dossier-tile"}>
      <div className="dossier-face">{preview ? <img src={preview} alt={name} /> : <span className="spinner" aria-hidden="true" />}</div>
      {broken ? (
        <>
          <p className="field-error" role="alert">
            {broken}
          </p>
          <div className="dossier-acts">
            {base64 !== undefined && (
              <Button tone="link" aria-label={`重传 ${name}`} onClick={() => pictures.again(key)}>
                重传
              </Button>
            )}
            <Button tone="link" aria-label={`不要了 ${name}`} onClick={() => pictures.drop(key)}>
              不要了
            </Button>
          </div>
        </>
      ) : (
        <div className="dossier-acts">
          <span className="dossier-said" role="status">
            {base64 === undefined
              ? "正在缩小"
              : sent === undefined || sent >= 1
                ? `正在上传 ${kilobytes} KB`
                : `正在上传 ${Math.floor(sent * 100)}%`}
          </span>
          <progress aria-label={`上传 ${name}`} max={1} {...(base64 !== undefined && { value: sent ?? 0 })} />
        </div>
      )}
    </div>
  );
}

/** Where the next picture is dropped or chosen; on a phone the camera opens from here too. */
function Place({
  id,
  field,
  swap,
  label,
  note,
  wrong,
  describedBy,
  onChosen,
}: {
  id: string;
  field: Field;
  /** It stands beside the picture that it takes the place of. */
  swap: boolean;
  label: string;
  note: string;
  wrong: boolean;
  describedBy: string | undefined;
  onChosen: (files: readonly File[]) => void;
}): ReactNode {
  const [over, setOver] = useState(false);
  const words = useId();
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onChosen([...event.dataTransfer.files]);
  };
  return (
    <div
      className={`${swap ? "dossier-swap" : "dossier-tile"} dossier-place${over ? " dossier-over" : ""}${wrong ? " dossier-wrong" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        id={id}
        type="file"
        className="sr-only"
        accept="image/*"
        multiple={field.form === "pictures"}
        aria-label={field.label}
        aria-invalid={wrong || undefined}
        aria-describedby={describedBy}
        onChange={(event) => {
          onChosen([...(event.target.files ?? [])]);
          // The same file chosen again is another choice.
          event.target.value = "";
        }}
      />
      <label htmlFor={id} id={words}>
        {label}
        {note && <small className="num">{note}</small>}
      </label>
    </div>
  );
}
