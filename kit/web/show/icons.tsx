import type { ReactNode, SVGProps } from "react";

/** Line drawings of one and a half pixels; they take the colour of the text beside them. */
const paths = {
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5.2 12.2L21 21",
  close: "M5 5l14 14M19 5L5 19",
  down: "M5 9l7 7 7-7",
  up: "M5 15l7-7 7 7",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  check: "M4 12l6 6L20 6",
  menu: "M4 6h16M4 12h16M4 18h16",
  columns: "M4 5h16v14H4zM10 5v14M15 5v14",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  download: "M12 4v11m-5-5l5 5 5-5M4 20h16",
  refresh: "M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  drag: "M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  info: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5M12 8h.01",
  good: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM8 12l3 3 5-6",
  bad: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9 9l6 6M15 9l-6 6",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v5M16 3v5",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  apart: "M13 5h6v6M19 5l-8 8M16 14v5H5V8h5",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
  table: "M4 5h16v14H4zM4 10h16M4 15h16M10 5v14",
  chart: "M4 4v16h16M8 16l4-5 3 3 5-7",
  sidebar: "M4 5h16v14H4zM9 5v14",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  system: "M3 5h18v11H3zM8 20h8M12 16v4",
  logout: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  home: "M4 11l8-7 8 7v9H4zM10 20v-6h4v6",
} as const;

export type IconName = keyof typeof paths;

/**
 * A small line drawing. It says nothing to a screen reader: the button around it carries the name.
 * @example <button aria-label="复制"><Icon name="copy" /></button>
 */
export function Icon({ name, size = 16, ...rest }: { name: IconName; size?: number } & SVGProps<SVGSVGElement>): ReactNode {
  const heavy = name === "more" || name === "drag";
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={heavy ? 2.6 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      {...rest}
    >
      <path d={paths[name]} />
    </svg>
  );
}
