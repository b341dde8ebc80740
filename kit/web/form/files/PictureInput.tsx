import { type ReactNode, useRef, useState } from "react";
import { Button } from "../../show/Button.tsx";
import { Picture } from "../../show/Picture.tsx";
import { error } from "../../notify.ts";
import type { InputProps } from "../Field.tsx";
import { shrink, type Bounds } from "./shrink-picture.ts";

/**
 * A picture that is chosen, drawn anew so that it is small and nothing but a picture, and uploaded at once; the form holds
 * its address, null without one.
 * @param props.upload sends base64 and gives the address; what it throws was said already
 * @example <PictureInput {...f} name="标志" most={{ width: 480, height: 160, bytes: 180_000 }} upload={upload} />
 */
export function PictureInput({
  id,
  value,
  onChange,
  name,
  most,
  upload,
  ...aria
}: Omit<InputProps<string | null>, "onChange"> & {
  onChange: (url: string | null | undefined) => void;
  name: string;
  most: Bounds;
  upload: (base64: string) => Promise<string | undefined>;
}): ReactNode {
  const file = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const take = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return;
    setBusy(true);
    try {
      const base64 = await shrink(chosen, most);
      if (base64 === undefined) error("无法读取这张图片，请换一张 PNG 或 JPEG");
      else {
        const url = await upload(base64);
        if (url !== undefined) onChange(url);
      }
    } finally {
      setBusy(false);
      if (file.current) file.current.value = "";
    }
  };
  return (
    <div className="picture-input">
      {value && <Picture url={value} name={name} />}
      <input
        ref={file}
        id={id}
        type="file"
        className="sr-only"
        tabIndex={-1}
        accept="image/png,image/jpeg,image/webp"
        {...aria}
        onChange={(event) => void take(event.target.files?.[0])}
      />
      <Button small busy={busy} aria-label={`${value ? "更换" : "上传"}${name}`} onClick={() => file.current?.click()}>
        {value ? "更换" : "上传"}
      </Button>
      {value && (
        <Button small tone="quiet" aria-label={`移除${name}`} onClick={() => onChange(null)}>
          移除
        </Button>
      )}
    </div>
  );
}
