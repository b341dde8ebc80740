/** How a receiver verifies a message, in a few lines each; the page shows them, docs/push.md with a receiver around them, a test runs them. `secret` starts with whsec_. */
export const VERIFY_NODE = `const { createHmac, timingSafeEqual } = require("node:crypto");

// headers: names in lower case, as node:http gives them; body: the bytes as they came, before any JSON.parse
function verify(headers, body, secret) {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signed } = headers;
  if (!id || !signed || !/^\\d{1,12}$/.test(at)) return false;
  if (Math.abs(Date.now() / 1000 - Number(at)) > 300) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const due = createHmac("sha256", key).update(\`\${id}.\${at}.\`).update(body).digest();
  return signed.split(" ").some((one) => {
    const got = Buffer.from(one.replace(/^v1,/, ""), "base64");
    return got.length === due.length && timingSafeEqual(got, due);
  });
}`;
export const VERIFY_PHP = `<?php
// $headers = getallheaders(); any case will do. $body = file_get_contents('php://input'): the bytes as they came
function verify(array $headers, string $body, string $secret): bool {
  $headers = array_change_key_case($headers, CASE_LOWER);
  $id = $headers['webhook-id'] ?? ''; $at = $headers['webhook-timestamp'] ?? '';
  if ($id === '' || !preg_match('/^[0-9]{1,12}$/D', $at)) return false;
  if (abs(time() - (int) $at) > 300) return false;
  $key = base64_decode(substr($secret, strlen('whsec_')));
  $due = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
  foreach (explode(' ', $headers['webhook-signature'] ?? '') as $one)
    if (hash_equals($due, $one)) return true;
  return false;
}`;
export const VERIFY_PYTHON = `import base64, hashlib, hmac, time

# headers: of http.server, or a dict with names in lower case; body: the bytes as they came
def verify(headers, body, secret):
    id, at, signed = (headers.get(f"webhook-{name}") or "" for name in ("id", "timestamp", "signature"))
    if not id or len(at) > 12 or not at.isdecimal() or abs(time.time() - int(at)) > 300:
        return False
    key = base64.b64decode(secret[len("whsec_"):])
    due = hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
    due = b"v1," + base64.b64encode(due)
    return any(hmac.compare_digest(due, one.encode()) for one in signed.split(" "))`;
