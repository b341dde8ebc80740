import { type RefObject, useLayoutEffect, useState } from "react";

/** The width of a box in pixels, as it changes; 0 before it is known. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const own = box.current;
    if (!own) return;
    const measure = (): void => {
      // A hidden page has no width, and keeps the one it had.
      if (own.clientWidth > 0) setWidth(own.clientWidth);
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(own);
    return () => watch.disconnect();
  }, [box]);
  return width;
}
