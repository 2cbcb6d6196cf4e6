// The two tokens that are compared, and whose lines are drawn.

export function pairOf(sheet) {
  return ["q", "k"].map((name) => sheet.integer(name)).filter((row) => row !== null);
}

/** Whose lines are drawn: of the mean those of the two that are compared, and where neither is written by the decoder,
 * those of its last token. */
export function lookers(sheet) {
  if (sheet.head) return new Set(sheet.header.tokens.keys());
  const last = lastLooker(sheet);
  return new Set([...pairOf(sheet), ...(last === null ? [] : [last])]);
}

export function lastLooker(sheet) {
  const { read, tokens } = sheet.header;
  return read < tokens.length && pairOf(sheet).every((row) => row < read) ? tokens.length - 1 : null;
}
