export { FirstSteps } from "./FirstSteps.tsx";
export { TodoCard, TodosNone } from "./TodoCard.tsx";
export { keepFirstSteps, useFirstSteps, useTodos } from "./use-todos.ts";
