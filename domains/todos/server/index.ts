import { domain } from "@zhangfang/server/calls/domain.ts";
import { listFirstStepsRoute } from "./list-first-steps.ts";
import { listTodosRoute } from "./list-todos.ts";

export { byAnother, type FirstStep, type TodoKind, type Waiting } from "./todo.ts";

export const todos = domain({ routes: [listTodosRoute, listFirstStepsRoute] });
