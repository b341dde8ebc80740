import { domain } from "@zhangfang/server/calls/domain.ts";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { MESSAGES_KEPT_DAYS } from "../contract.ts";
import { countUnreadRoute, listMessagesRoute, readMessagesRoute } from "./read-messages.ts";

/** Every night: messages whose time is over go. */
const purgeMessages: Job = job({
  name: "purge-messages",
  data: z.object({}),
  every: "50 3 * * *",
  concurrency: 1,
  async run(services) {
    const before = new Date(services.clock.now_ms() - MESSAGES_KEPT_DAYS * 86_400_000).toISOString();
    await withScope(services.pool, platformScope("purge-messages"), (tx) =>
      tx.deleteFrom("messages").where("created_at", "<", before).execute(),
    );
  },
});

export { tell, tellUser, type Told } from "./tell.ts";
// The mail server, for one mail: whoever records mails sends them by it.
export { type Mailer, mailerOf, type MailState, UNKNOWN } from "./mailer.ts";

export const messages = domain({ routes: [listMessagesRoute, countUnreadRoute, readMessagesRoute], jobs: [purgeMessages] });
