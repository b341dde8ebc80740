import { type AddressInfo, createServer, type Socket } from "node:net";

/** What it does with the next mail: takes it, says later or never to who it is for, or hangs up once it has all of it. */
type Manner = "take" | "later" | "never" | "hang up";
interface Taken {
  readonly to: string;
  readonly text: string;
}

/** A mail server that speaks as much SMTP as a client needs (RFC 5321); it keeps what it takes on. */
export async function mailServer() {
  const taken: Taken[] = [];
  const state: { manner: Manner; said: string[] } = { manner: "take", said: [] };
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on("close", () => open.delete(socket)).on("error", () => {}));
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    const mail = { to: "", text: [] as string[], reading: false };
    let rest = "";
    say("220 mail.test ESMTP");
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) hear(line);
    });
    const hear = (line: string): void => {
      if (mail.reading) return line === "." ? end() : void mail.text.push(line);
      state.said.push(line);
      const [verb = ""] = line.toUpperCase().split(/[ :]/);
      if (verb === "EHLO") return say("250 mail.test");
      if (verb === "RCPT") {
        if (state.manner === "later") return say("451 try again later");
        if (state.manner === "never") return say("550 no such user");
        mail.to = /<(.*)>/.exec(line)?.[1] ?? "";
      }
      if (verb === "DATA") {
        mail.reading = true;
        return say("354 go on");
      }
      say(verb === "QUIT" ? "221 bye" : "250 ok");
      if (verb === "QUIT") socket.end();
    };
    const end = (): void => {
      taken.push({ to: mail.to, text: mail.text.join("\n") });
      Object.assign(mail, { to: "", text: [], reading: false });
      if (state.manner === "hang up") return void socket.destroy();
      say("250 queued");
    };
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    state,
    async close(): Promise<void> {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
