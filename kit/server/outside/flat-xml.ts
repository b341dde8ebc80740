export type Fields = Readonly<Record<string, string>>;

/** XML of one level, as WeChat's older interfaces speak it. @example writeXml({ a: "1" }) // <xml><a><![CDATA[1]]></a></xml> */
export const writeXml = (fields: Fields): string =>
  `<xml>${Object.entries(fields)
    .map(([name, value]) => `<${name}><![CDATA[${value.replaceAll("]]>", "]] >")}]]></${name}>`)
    .join("")}</xml>`;

/** What such XML says. Of anything else (a DTD, entities, attributes, deeper levels) nothing is read. Give it at most some 20 KB. */
export const readXml = (text: string): Fields =>
  Object.fromEntries(
    [...text.matchAll(/<(\w+)>(?:<!\[CDATA\[([\s\S]*?)\]\]>|([^<]*))<\/\1>/g)].map((found) => [found[1]!, found[2] ?? found[3] ?? ""]),
  );
