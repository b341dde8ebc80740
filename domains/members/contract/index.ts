export * from "./members.ts";
export * from "./form.ts";
export * from "./member-acts.ts";
export * from "./till.ts";
export * from "./id-number.ts";
export * from "./audience.ts";
