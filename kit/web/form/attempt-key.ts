import { useRef } from "react";
import { drafts } from "./drafts.ts";

/**
 * The idempotency key: one for one content, kept until it worked, so that sending it again is the same attempt,
 * also where the form was closed or the page left before the answer came. A form without a draft keeps it to itself.
 */
export function useAttemptKey(field: string | undefined, draft: string | undefined) {
  const attempt = useRef<Record<string, unknown>>(undefined);
  const place = draft && `${draft}:attempt`;
  return {
    add(body: Record<string, unknown>): Record<string, unknown> {
      if (field === undefined) return body;
      const text = JSON.stringify(body);
      const last = place ? drafts.read(place) : attempt.current;
      const next = last?.["body"] === text ? last : { body: text, key: crypto.randomUUID() };
      attempt.current = next;
      if (place) drafts.write(place, next);
      return { ...body, [field]: next["key"] };
    },
    done(): void {
      attempt.current = undefined;
      if (place) drafts.remove(place);
    },
  };
}
