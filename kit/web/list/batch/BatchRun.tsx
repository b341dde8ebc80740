import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { ApiError } from "../../api/api-errors.ts";
import { confirm } from "../../notify.ts";
import { Button } from "../../show/Button.tsx";
import { Tag } from "../../show/StatusTag.tsx";

interface Task {
  readonly id: string;
  readonly state: "waiting" | "running" | "done" | "failed";
  readonly words: string;
}
interface Given {
  /** As its button says it. */
  readonly label: string;
  /** What is asked before it begins. */
  readonly ask: (count: number) => string;
  /** What it is done to, by id; undefined where that can't be said, and somebody was told why. */
  readonly ids: () => Promise<readonly string[] | undefined>;
  readonly nameOf: (id: string) => string;
  /** Does it to one, quietly, and says what came of it. What is tried again is the same request. */
  readonly run: (id: string) => Promise<string>;
  /** Afterwards, however far it came. */
  readonly onEnd: () => void;
}

/**
 * Does one act to each of the ticked, one after the other: how far it is, what came of each, and a way to stop before the next.
 * @example <BatchRun label="查单同步" ask={(count) => `查询 ${count} 笔订单？`} ids={…} nameOf={…} run={async (id) => (await call(syncPayOrder, { id }, { quiet: true })).message} onEnd={list.refresh} />
 */
export function BatchRun(given: Given): ReactNode {
  const [tasks, setTasks] = useState<readonly Task[]>();
  const [going, setGoing] = useState(false);
  const stop = useRef(false);
  const go = async (all: readonly Task[]): Promise<void> => {
    stop.current = false;
    setGoing(true);
    let now = all;
    const set = (id: string, change: Partial<Task>): void => {
      now = now.map((task) => (task.id === id ? { ...task, ...change } : task));
      setTasks(now);
    };
    for (const { id, state } of all) {
      if (stop.current) break;
      if (state === "done") continue;
      set(id, { state: "running", words: "" });
      try {
        set(id, { state: "done", words: await given.run(id) });
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        set(id, { state: "failed", words: failure.toast ?? failure.message });
      }
    }
    setGoing(false);
    given.onEnd();
  };
  const begin = async (): Promise<void> => {
    const ids = await given.ids();
    if (!ids || ids.length === 0 || !(await confirm(given.ask(ids.length)))) return;
    const all = ids.map((id): Task => ({ id, state: "waiting", words: "" }));
    setTasks(all);
    await go(all);
  };
  return (
    <>
      <Button small onClick={() => void begin()}>
        {given.label}
      </Button>
      {tasks && (
        <Tasks
          label={given.label}
          tasks={tasks}
          nameOf={given.nameOf}
          going={going}
          onStop={() => void (stop.current = true)}
          onAgain={() => void go(tasks)}
          onClose={() => setTasks(undefined)}
        />
      )}
    </>
  );
}

const STATES = {
  waiting: ["ended", "未处理"],
  running: ["active", "处理中"],
  done: ["good", "完成"],
  failed: ["bad", "失败"],
} as const;

function Tasks({
  label,
  tasks,
  nameOf,
  going,
  onStop,
  onAgain,
  onClose,
}: {
  label: string;
  tasks: readonly Task[];
  nameOf: (id: string) => string;
  going: boolean;
  onStop: () => void;
  onAgain: () => void;
  onClose: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const count = (state: Task["state"]): number => tasks.filter((task) => task.state === state).length;
  const [done, failed] = [count("done"), count("failed")];
  const left = tasks.length - done - failed;
  // Where it is at work it is stopped first: what is on its way ends by itself.
  return createPortal(
    <dialog
      ref={dialog}
      className="ask batch-run"
      aria-labelledby={titleId}
      onCancel={(event) => going && (event.preventDefault(), onStop())}
      onClose={onClose}
    >
      <h2 id={titleId}>{label}</h2>
      <p role="status">
        {going ? "正在处理" : left > 0 ? "已停止" : "已结束"}：完成 {done}，失败 {failed}，剩余 {left}，共 {tasks.length}
      </p>
      <progress aria-label={`${label}的进度`} max={tasks.length} value={done + failed} />
      <ul className="batch-tasks" tabIndex={0} aria-label="每一笔的结果">
        {tasks.map(({ id, state, words }) => (
          <li key={id}>
            <span className="num">{nameOf(id)}</span>
            <Tag tone={STATES[state][0]}>{STATES[state][1]}</Tag>
            <span className="note">{words}</span>
          </li>
        ))}
      </ul>
      <div className="ask-acts">
        {going ? (
          <Button onClick={onStop}>停止</Button>
        ) : (
          <>
            {failed + left > 0 && <Button onClick={onAgain}>{left > 0 ? "继续" : "重试失败的"}</Button>}
            <Button tone="primary" onClick={() => dialog.current?.close()}>
              关闭
            </Button>
          </>
        )}
      </div>
    </dialog>,
    document.body,
  );
}
