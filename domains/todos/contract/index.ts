import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { instant } from "@zhangfang/contract/fields.ts";

/** Counted so far; beyond it stands 99+. */
export const MOST_COUNTED = 99;
/** How soon: 1 money or a customer waits, 2 a person waits for a decision, 3 it can wait for a day. */
export const urgency = z.union([z.literal(1), z.literal(2), z.literal(3)]);

/** What waits for the caller, in their sight and by what they hold; the most urgent first. A kind of which nothing waits is left out. */
export const listTodos = read({
  path: "/api/todos",
  title: "待办",
  access: "signed-in",
  // Asked beside a page of figures: late is worse than not at all.
  deadline_ms: 5_000,
  input: z.object({}),
  output: z.object({
    todos: z.array(
      z.object({
        key: z.string(),
        urgency,
        /** The sentence with its count: 3 笔退款等待审批. */
        words: z.string(),
        count: z.int(),
        /** There are more than were counted. */
        more: z.boolean(),
        /** What is done about it, and where: its only row, else the list with exactly its filter. */
        act: z.string(),
        to: z.string(),
        /** The three that have waited longest of those that were counted. */
        rows: z.array(z.object({ title: z.string(), since: instant, to: z.string() })),
      }),
    ),
    /** Kinds that could not be asked. */
    failed: z.array(z.string()),
  }),
});

/** The name under which an account keeps what it made of its first steps: `hidden`, or `shown` though all are done. */
export const FIRST_STEPS = "first-steps";
/** 入门清单: what an account of this level sets up first. Each step is proven by what is there, not by a press. */
export const listFirstSteps = read({
  path: "/api/first-steps",
  title: "入门清单",
  access: "signed-in",
  deadline_ms: 5_000,
  input: z.object({}),
  output: z.object({
    /** Something is left to do and nobody put the list away; or somebody brought it back. */
    shown: z.boolean(),
    steps: z.array(z.object({ key: z.string(), title: z.string(), why: z.string(), to: z.string(), done: z.boolean() })),
  }),
});
