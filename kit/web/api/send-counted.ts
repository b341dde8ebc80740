/** No body stands in such an answer. */
const EMPTY = new Set([204, 205, 304]);

/** One call that tells how much of its body is on its way: `fetch` never does. It ends as `fetch` would. */
export function sendCounted(given: {
  readonly url: string;
  readonly verb: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly onSent: (share: number) => void;
}): Promise<Response> {
  const { url, verb, headers, body, signal, onSent } = given;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(verb, url);
    request.withCredentials = true;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener(
      "progress",
      ({ lengthComputable, loaded, total }) => lengthComputable && total > 0 && onSent(loaded / total),
    );
    request.addEventListener("error", () => reject(new TypeError("network")));
    request.addEventListener("abort", () => reject(signal.reason as Error));
    request.addEventListener("load", () => {
      const said = new Headers(
        request
          .getAllResponseHeaders()
          .split(/\r?\n/)
          .flatMap((line): [string, string][] =>
            line.includes(":") ? [[line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]] : [],
          ),
      );
      resolve(new Response(EMPTY.has(request.status) ? null : request.responseText, { status: request.status, headers: said }));
    });
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}
