/** What a picture is by its content: its type and its size in pixels. */
export interface PictureFacts {
  readonly contentType: "image/png" | "image/jpeg";
  readonly width: number;
  readonly height: number;
}

/** Reads the head of a PNG or JPEG; undefined for everything else, whatever it is called. */
export function readPicture(bytes: Buffer): PictureFacts | undefined {
  return readPng(bytes) ?? readJpeg(bytes);
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
function readPng(bytes: Buffer): PictureFacts | undefined {
  if (bytes.length < 45 || !bytes.subarray(0, 8).equals(PNG) || bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  // A PNG ends with its IEND: nothing hides behind it.
  if (bytes.toString("latin1", bytes.length - 8, bytes.length - 4) !== "IEND") return undefined;
  return { contentType: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Walks the segments up to the frame's head, which says the size. */
function readJpeg(bytes: Buffer): PictureFacts | undefined {
  if (bytes.length < 20 || bytes.readUInt16BE(0) !== 0xffd8 || bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return undefined;
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    const frame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (frame) return { contentType: "image/jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
