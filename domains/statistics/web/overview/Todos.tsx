import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { type getOverview, todo } from "../../contract/index.ts";
import { Panel } from "../Panel.tsx";

/** What waits for somebody, with the list that holds it; nothing waiting is said, not left empty. */
export function Todos({ todos }: { todos: OutputOf<typeof getOverview>["todos"] }): ReactNode {
  const waiting = todos.filter(({ count }) => count > 0);
  return (
    <Panel title="待办" className="todos">
      {waiting.length === 0 ? (
        <p className="panel-blank">没有待办事项</p>
      ) : (
        <ul>
          {waiting.map(({ key, count, href }) => (
            <li key={key}>
              {href === null ? todo.label(key) : <Link to={href.replace(/^#/, "")}>{todo.label(key)}</Link>}
              <span className="num">{count.toLocaleString("en-US")}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
