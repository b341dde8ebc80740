/** How a receiver verifies a message, in a few lines each; the page and docs/push.md show them, a test runs them. `secret` starts with whsec_. */
export const VERIFY_NODE = `const { createHmac, timingSafeEqual } = require("node:crypto");

// body: the bytes as they came, before any JSON.parse
function verify(headers, body, secret) {
  const id = headers["webhook-id"], at = headers["webhook-timestamp"];
  if (Math.abs(Date.now() / 1000 - Number(at)) > 300) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const due = createHmac("sha256", key).update(\`\${id}.\${at}.\`).update(body).digest();
  return headers["webhook-signature"].split(" ").some((one) => {
    const got = Buffer.from(one.replace(/^v1,/, ""), "base64");
    return got.length === due.length && timingSafeEqual(got, due);
  });
}`;
export const VERIFY_PHP = `<?php
// $body = file_get_contents('php://input');
function verify(array $headers, string $body, string $secret): bool {
  $id = $headers['webhook-id']; $at = $headers['webhook-timestamp'];
  if (abs(time() - (int) $at) > 300) return false;
  $key = base64_decode(substr($secret, strlen('whsec_')));
  $due = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
  foreach (explode(' ', $headers['webhook-signature']) as $one)
    if (hash_equals($due, $one)) return true;
  return false;
}`;
export const VERIFY_PYTHON = `import base64, hashlib, hmac, time

# body: the bytes as they came
def verify(headers, body, secret):
    id, at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(at)) > 300:
        return False
    key = base64.b64decode(secret[len("whsec_"):])
    due = hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
    due = "v1," + base64.b64encode(due).decode()
    return any(hmac.compare_digest(due, one) for one in headers["webhook-signature"].split(" "))`;
