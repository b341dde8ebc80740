import type { SelectProps } from "antd";
import {
  createElement,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { error } from "../notify.ts";

type Real = typeof import("./AntdSelect.tsx").AntdSelect;
let real: Real | undefined;
let asked: Promise<void> | undefined;
const hearers = new Set<() => void>();
/** Brings antd's select, once; every stand-in gives way to it. */
function bring(): Promise<void> {
  asked ??= import("./AntdSelect.tsx").then((loaded) => {
    real = loaded.AntdSelect;
    for (const hear of hearers) hear();
  });
  asked.catch(() => (asked = undefined));
  return asked;
}
const useIsHere = (): boolean =>
  useSyncExternalStore(
    (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    () => real !== undefined,
  );
/** Nobody has touched it: it comes when the rows stand. */
const UNTOUCHED_MS = 1500;

type Touched = "no" | "focus" | "open";
/**
 * antd's select, which is a third of all that a first list would wait for. Until somebody touches one, or the page has been there for a
 * moment, something stands in its place that looks the same.
 * @example <Select className="pick" options={options} value={value} onChange={set} />
 */
export function Select<V>(props: SelectProps<V>): ReactNode {
  const isHere = useIsHere();
  // How it was touched before it came: it takes over the focus, and opens where somebody meant to open it.
  const [touched, setTouched] = useState<Touched>("no");
  const [typed, setTyped] = useState("");
  const come = useEffectEvent(() => {
    if (touched === "open") props.onOpenChange?.(true);
    if (typed !== "") typeInto(document.activeElement, typed);
  });
  useEffect(() => {
    if (isHere) return come();
    const later = setTimeout(() => void bring().catch(() => {}), UNTOUCHED_MS);
    return () => clearTimeout(later);
  }, [isHere]);
  if (!isHere || !real) return <StandIn {...(props as SelectProps)} touched={touched} setTouched={setTouched} setTyped={setTyped} />;
  // Both count when it is drawn for the first time only.
  return createElement(real<V>, {
    ...props,
    ...(touched !== "no" && { autoFocus: true }),
    ...(touched === "open" && { defaultOpen: true }),
  });
}

/** What was typed before the field was there, as if it were typed now. */
function typeInto(field: Element | null, text: string): void {
  if (!(field instanceof HTMLInputElement) || field.readOnly) return;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

interface StandInProps extends SelectProps {
  readonly touched: Touched;
  readonly setTouched: (next: (before: Touched) => Touched) => void;
  readonly setTyped: (next: (before: string) => string) => void;
}
const OPENING = new Set(["ArrowDown", "ArrowUp", "Enter", " ", "Process"]);
/** A closed select as antd draws it. */
function StandIn({ touched, setTouched, setTyped, ...props }: StandInProps): ReactNode {
  const { mode, className, disabled, id, size, status, suffixIcon } = props;
  const input = useRef<HTMLInputElement>(null);
  const touch = (how: "focus" | "open"): void => {
    if (disabled) return;
    setTouched((before) => (before === "open" ? before : how));
    bring().catch(() => (setTouched(() => "no"), error("选项没有加载成功，请检查网络后重试")));
  };
  const press = (event: KeyboardEvent): void => {
    const letter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!letter && !OPENING.has(event.key)) return;
    // Enter would submit the form, and the page would move under an arrow.
    event.preventDefault();
    if (letter) setTyped((before) => before + event.key);
    touch("open");
  };
  const leave = (): void => {
    setTouched(() => "no");
    setTyped(() => "");
  };
  const aria = Object.fromEntries(Object.entries(props).filter(([name]) => name.startsWith("aria-")));
  const classes = [
    "ant-select ant-select-outlined zf ant-select-css-var",
    `ant-select-${mode === undefined ? "single" : "multiple"}`,
    suffixIcon !== null && "ant-select-show-arrow",
    size === "small" && "ant-select-sm",
    status === "error" && "ant-select-status-error",
    disabled && "ant-select-disabled",
    touched !== "no" && "ant-select-focused",
    className,
  ];
  return (
    <div
      className={classes.filter(Boolean).join(" ")}
      aria-busy={touched === "open"}
      onPointerEnter={() => void bring().catch(() => {})}
      onMouseDown={(event) => {
        event.preventDefault();
        touch("open");
        input.current?.focus();
      }}
    >
      <Content {...props}>
        <input
          ref={input}
          {...aria}
          id={id}
          type="text"
          readOnly
          disabled={disabled}
          className="ant-select-input"
          role="combobox"
          aria-expanded="false"
          aria-haspopup="listbox"
          value=""
          onFocus={() => touch("focus")}
          onBlur={leave}
          onKeyDown={press}
        />
      </Content>
      {suffixIcon !== null && <Arrow />}
    </div>
  );
}

/** antd's own arrow, so that nothing changes when the select takes the place. */
function Arrow(): ReactNode {
  return (
    <div className="ant-select-suffix">
      <span className="anticon">
        <svg viewBox="64 64 896 896" width="1em" height="1em" fill="currentColor" aria-hidden="true">
          <path d={ARROW} />
        </svg>
      </span>
    </div>
  );
}
const ARROW =
  "M884 256h-75c-5.1 0-9.9 2.5-12.9 6.6L512 654.2 227.9 262.6c-3-4.1-7.8-6.6-12.9-6.6h-75c-6.5 0-10.3 7.4-6.5 12.7l352.6 486.1c12.8 17.6 39 17.6 51.7 0l352.6-486.1c3.9-5.3.1-12.7-6.4-12.7z";

/** What is chosen, or what may be. */
function Content({ mode, options = [], value, placeholder, maxTagCount, children }: SelectProps & { children: ReactNode }): ReactNode {
  const chosen = (Array.isArray(value) ? (value as unknown[]) : [value]).filter((one) => one !== undefined && one !== null);
  const words = chosen.map((one) => options.find((option) => option.value === one)?.label ?? String(one));
  const blank = words.length === 0 && <div className="ant-select-placeholder">{placeholder}</div>;
  if (mode === undefined)
    return (
      <div className={blank ? "ant-select-content" : "ant-select-content ant-select-content-has-value"}>
        {blank || words[0]}
        {children}
      </div>
    );
  const seen = maxTagCount === "responsive" ? 1 : (maxTagCount ?? words.length);
  const tags = words.length > seen ? [...words.slice(0, seen), `+ ${words.length - seen} ...`] : words;
  return (
    <div className="ant-select-content">
      {tags.map((word, index) => (
        <div key={index} className="ant-select-content-item">
          <span className="ant-select-selection-item">
            <span className="ant-select-selection-item-content">{word}</span>
          </span>
        </div>
      ))}
      {blank && <div className="ant-select-content-item ant-select-content-item-prefix">{blank}</div>}
      <div className="ant-select-content-item ant-select-content-item-suffix">{children}</div>
    </div>
  );
}
