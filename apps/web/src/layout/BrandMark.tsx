import { type ReactNode, type SyntheticEvent, useState } from "react";
import { Link } from "react-router";
import type { Brand } from "../brand.ts";

/** The provider's logo on a plate of the sidebar's own tone; an ink monogram where there is none. */
export function BrandMark({ brand, small }: { brand: Brand; small: boolean }): ReactNode {
  const [broken, setBroken] = useState(false);
  const [plate, setPlate] = useState<"" | "plate-light" | "plate-dark">("");
  const url = small ? (brand.smallLogoUrl ?? brand.logoUrl) : (brand.logoUrl ?? brand.smallLogoUrl);
  const showName = !small && (!url || broken || url === brand.smallLogoUrl);
  return (
    <Link className="brand" to="/" title="返回首页">
      {url && !broken ? (
        <img className={plate} src={url} alt="" onError={() => setBroken(true)} onLoad={(event) => setPlate(plateFor(event))} />
      ) : (
        <span className="monogram" aria-hidden="true">
          {[...brand.title][0]}
        </span>
      )}
      <span className={showName ? "brand-name" : "sr-only"}>{brand.title}</span>
    </Link>
  );
}

/** A plate behind a logo that is nearly as light or as dark as the sidebar. A logo of another origin keeps its secret. */
function plateFor(event: SyntheticEvent<HTMLImageElement>): "" | "plate-light" | "plate-dark" {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 16;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return "";
  try {
    context.drawImage(event.currentTarget, 0, 0, 16, 16);
    const { data } = context.getImageData(0, 0, 16, 16);
    let sum = 0;
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      if ((data[at + 3] ?? 0) < 128) continue;
      sum += 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0);
      count++;
    }
    if (count === 0) return "";
    const dark = document.documentElement.dataset.theme === "dark";
    const mean = sum / count;
    if (dark) return mean < 80 ? "plate-light" : "";
    return mean > 190 ? "plate-dark" : "";
  } catch {
    return "";
  }
}
