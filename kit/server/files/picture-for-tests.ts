import sharp from "sharp";

/** A small photograph as a phone takes one, in base64: a JPEG that says where it was taken. */
export const photoForTests = async (): Promise<string> =>
  (
    await sharp({ create: { width: 60, height: 40, channels: 3, background: "#a33" } })
      .jpeg()
      .withMetadata({ exif: { IFD0: { Copyright: "secret place" } } })
      .toBuffer()
  ).toString("base64");
