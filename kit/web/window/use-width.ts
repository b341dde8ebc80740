import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** The width of a box in pixels, as it changes; 0 before it is known. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  const known = useRef(false);
  useLayoutEffect(() => {
    const own = box.current;
    if (!own) return;
    const measure = (): void => {
      // A hidden page has no width, and keeps the one it had.
      if (own.clientWidth > 0) setWidth(own.clientWidth);
    };
    // When a page is seen again its width is known, and asking at once would lay it all out twice.
    if (!known.current) measure();
    known.current = true;
    const watch = new ResizeObserver(measure);
    watch.observe(own);
    return () => watch.disconnect();
  }, [box]);
  return width;
}
