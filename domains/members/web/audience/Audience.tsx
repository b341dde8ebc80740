import { type ComponentProps, lazy, type ReactNode, Suspense } from "react";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import type { AudienceChosen } from "./audience-words.ts";
import type { AudienceProps } from "./AudienceFields.tsx";

const Fields = lazy(async () => ({ default: (await import("./AudienceFields.tsx")).AudienceFields }));

/**
 * Members by what they are; nothing filled in is everybody. Says how many that are now.
 * @param also what else the question after their number says
 * @param children more of the filter's fields
 */
export function Audience<E extends Endpoint, F extends AudienceChosen>(props: AudienceProps<E, F>): ReactNode {
  return (
    <Suspense fallback={null}>
      <Fields {...(props as unknown as ComponentProps<typeof Fields>)} />
    </Suspense>
  );
}
