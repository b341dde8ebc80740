import type { MailServer } from "@zhangfang/server/config.ts";
import type { Services } from "@zhangfang/server/services.ts";

interface Mail {
  /** Ours: a receiver that gets it twice all the same can tell. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
/** What became of a mail. `later`: it did not go out, `alone` where that says nothing of the others. `unknown`: it may have. */
export type MailState =
  | { readonly state: "sent" }
  | { readonly state: "later"; readonly why: string; readonly alone?: boolean }
  | { readonly state: "refused" | "unknown"; readonly why: string };
export const UNKNOWN = "不确定是否已经送达，没有再发";
/** Whoever carries mails. It never throws. */
export interface Mailer {
  send(mail: Mail): Promise<MailState>;
}

/** The mail server of these services; undefined where none is set (SMTP_URL). */
export const mailerOf = async ({ config }: Pick<Services, "config">): Promise<Mailer | undefined> => config.mail && overSmtp(config.mail);

/** How long a mail server may say nothing. */
const SILENT_MS = 20_000;
const HERE = new Set(["127.0.0.1", "localhost", "[::1]"]);
/** Mails by SMTP. Each is preceded by a connection that signs in and asks nothing: where that fails, none went out for sure. */
async function overSmtp({ host, port, secure, user, password, from }: MailServer): Promise<Mailer> {
  // Most services never send one.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host: host.replaceAll(/[[\]]/g, ""),
    port,
    secure,
    requireTLS: !secure && !HERE.has(host),
    ...(user !== undefined && { auth: { user, pass: password ?? "" } }),
    connectionTimeout: SILENT_MS,
    greetingTimeout: SILENT_MS,
    socketTimeout: SILENT_MS,
    // What somebody wrote is text, never the name of a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.indexOf("@") + 1);
  return {
    async send({ id, to, subject, text }) {
      try {
        await transport.verify();
      } catch {
        return { state: "later", why: "邮件服务器连接不上或登录失败" };
      }
      try {
        await transport.sendMail({ from, to: { name: "", address: to }, subject, text, messageId: `<${id}@${domain}>` });
        return { state: "sent" };
      } catch (error) {
        return endOf(error as { command?: string; responseCode?: number });
      }
    },
  };
}

// Only an answer of the server's to a command says that a mail did not go out. `CONN`: the connection broke, whenever that was.
function endOf({ command, responseCode: code }: { command?: string; responseCode?: number }): MailState {
  if (command === "CONN" || code === undefined) return { state: "unknown", why: UNKNOWN };
  if (command?.startsWith("AUTH")) return { state: "later", why: "邮件服务器登录失败" };
  if (code >= 500) return { state: "refused", why: `邮件服务器拒收（${code}）` };
  // Of its receiver it says so at RCPT TO, of itself by 421.
  return { state: "later", why: `邮件服务器暂时不收（${code}）`, alone: command === "RCPT TO" && code !== 421 };
}
