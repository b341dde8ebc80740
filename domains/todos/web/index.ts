export { FirstSteps } from "./FirstSteps.tsx";
export { TodoCard } from "./TodoCard.tsx";
export { keepFirstSteps, useFirstSteps, useTodos } from "./use-todos.ts";
