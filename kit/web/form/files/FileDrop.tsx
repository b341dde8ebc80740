import { type DragEvent, type ReactNode, useId, useState } from "react";
import type { ButtonTone } from "../../show/Button.tsx";

interface Files {
  /** As the browser's `accept`. */
  readonly accept: string;
  readonly multiple?: boolean;
  /** What the field is called where its button does not say it whole. */
  readonly label?: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/**
 * A button that asks for files.
 * @example <FileButton accept=".csv" onFiles={([file]) => file && read(file)}>上传账单文件</FileButton>
 */
export function FileButton({
  accept,
  multiple = false,
  label,
  onFiles,
  tone = "plain",
  children,
}: Files & { tone?: ButtonTone; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <span className="file-button">
      <input
        id={id}
        type="file"
        className="sr-only"
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file chosen again is another choice.
          event.target.value = "";
        }}
      />
      <label htmlFor={id} className={`btn btn-${tone}`}>
        {children}
      </label>
    </span>
  );
}

/**
 * The button in a place onto which files can be dropped as well.
 * @param props.children what may come, in words
 * @example <FileDrop accept=".csv" onFiles={take}><p className="note">或把文件拖到这里</p></FileDrop>
 */
export function FileDrop({ children, ...files }: Files & { children: ReactNode }): ReactNode {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    files.onFiles([...event.dataTransfer.files].slice(0, files.multiple ? undefined : 1));
  };
  return (
    <div
      className={over ? "file-drop file-drop-over" : "file-drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileButton tone="primary" {...files}>
        选择文件
      </FileButton>
      {children}
    </div>
  );
}
