import { type ChangeEvent, type InputHTMLAttributes, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { error } from "../../notify.ts";
import { Icon } from "../../show/icons.tsx";
import { entered } from "../../window/entered.ts";

const load = () => import("./DayCalendar.tsx");
type Calendar = Awaited<ReturnType<typeof load>>["DayCalendar"];
type Rest = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange">;

interface Given extends Rest {
  /** What stands in the form, as it is shown; "" where nothing does. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What a text means; `done` once nobody types on. */
  readonly read: (text: string, done: boolean) => string | undefined;
  /** What its calendar picks; without it there is none. */
  readonly picks?: "day" | "minute";
}

/**
 * A day or a time that is typed as people write it, or picked from a calendar (the little button, or ↓). While what stands there means nothing the
 * form has nothing; once it is left it shows what the form has.
 */
export function TypedTime({ value, onChange, read, picks, ...rest }: Given): ReactNode {
  const [typed, setTyped] = useState<string>();
  const [Calendar, setCalendar] = useState<Calendar>();
  const input = useRef<HTMLInputElement>(null);
  const back = useRef(false);
  useEffect(() => {
    // Whoever went on to another field stays there.
    if (!Calendar && back.current && (document.activeElement ?? document.body) === document.body) input.current?.focus();
    back.current = Calendar !== undefined;
  }, [Calendar]);
  const change = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    setTyped(target.value);
    onChange(read(target.value, false) ?? "");
  };
  const leave = (): void => {
    if (typed === undefined) return;
    const meant = read(typed, true);
    if (meant !== undefined && meant !== value) onChange(meant);
    setTyped(undefined);
  };
  const open = (): void => {
    // What was typed counts before something else is picked.
    leave();
    void load().then(
      (loaded) => setCalendar(() => loaded.DayCalendar),
      () => error("日历没有加载成功，请检查网络后重试"),
    );
  };
  const press = (event: KeyboardEvent): void => {
    if (entered(event)) leave();
    if (picks === undefined || event.key !== "ArrowDown") return;
    event.preventDefault();
    open();
  };
  if (Calendar && picks) return <Calendar {...rest} of={picks} value={value} onPick={onChange} onClose={() => setCalendar(undefined)} />;
  const text = (
    <input
      type="text"
      className="input num"
      autoComplete="off"
      inputMode="numeric"
      {...rest}
      ref={input}
      value={typed ?? value}
      onChange={change}
      onBlur={leave}
      onKeyDown={press}
    />
  );
  if (picks === undefined) return text;
  return (
    <span className="affixed day-input">
      {text}
      <button type="button" className="icon-button" aria-label="挑一天" tabIndex={-1} disabled={rest.disabled} onClick={open}>
        <Icon name="calendar" />
      </button>
    </span>
  );
}
