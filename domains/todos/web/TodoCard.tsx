import { type ReactNode, useId, useState } from "react";
import { Link } from "react-router";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import type { useTodos } from "./use-todos.ts";
import "./todos.css";

/** So many kinds stand in the card; the rest at a press. */
const SHOWN = 6;

/** 待办: what waits for this person, the most urgent first; each sentence opens its own list or drawer. Nothing waiting is one line. */
export function TodoCard({ of }: { of: ReturnType<typeof useTodos> }): ReactNode {
  const id = useId();
  const [all, setAll] = useState(false);
  const todos = of.data?.todos ?? [];
  const failed = of.data?.failed ?? [];
  if (todos.length === 0) return <TodosNone of={of} />;
  return (
    <section className="sheet todos" aria-labelledby={id}>
      <header className="todos-head">
        <h2 id={id}>待办</h2>
        <span className="note">{todos.length} 类</span>
      </header>
      <ol>
        {(all ? todos : todos.slice(0, SHOWN)).map((todo) => (
          <li key={todo.key} className={`todo todo-${todo.urgency}`}>
            <Link className="todo-open" to={todo.to}>
              <span>{levelWords(todo.words)}</span>
              <span className="todo-act">{levelWords(todo.act)}</span>
            </Link>
            <First todo={todo} />
          </li>
        ))}
      </ol>
      {todos.length > SHOWN && (
        <Button tone="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "收起" : `展开其余 ${todos.length - SHOWN} 类`}
        </Button>
      )}
      {failed.length > 0 && <p className="note">没有查到：{levelWords(failed.join("、"))}</p>}
    </section>
  );
}

/** What has waited longest, with its own address where there are others beside it. */
function First({ todo: { rows, count } }: { todo: NonNullable<ReturnType<typeof useTodos>["data"]>["todos"][number] }): ReactNode {
  const [first] = rows;
  if (!first) return null;
  const since = `${shanghaiTime(first.since).slice(5, 10)} 起`;
  return (
    <p className="note todo-first">
      {count === 1 ? (
        first.title
      ) : (
        <Link className="text-link" to={first.to}>
          {first.title}
        </Link>
      )}{" "}
      <span className="num">{since}</span>
    </p>
  );
}

/** One line where nothing waits, where it is still counted, or where that could not be asked. */
function TodosNone({ of }: { of: ReturnType<typeof useTodos> }): ReactNode {
  const failed = of.data?.failed ?? [];
  return (
    <section className="sheet todos-none" aria-label="待办">
      {of.isPending ? (
        <span role="status">正在统计待办…</span>
      ) : of.isError ? (
        <>
          <span>待办没有加载出来</span>
          <Button tone="link" onClick={() => void of.refetch()}>
            重试
          </Button>
        </>
      ) : failed.length > 0 ? (
        <span>没有查到：{levelWords(failed.join("、"))}</span>
      ) : (
        <span>没有待办，都处理完了</span>
      )}
    </section>
  );
}
