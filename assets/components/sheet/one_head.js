// One head: its lines alone are drawn, and what it mixes is what gathers; elsewhere a mixture stays the mean of heads.

/** From now on the lines of the head that is lent, or the means again. */
export function collectHead(sheet) {
  const { given, body } = sheet.store.stacks.get("head") ?? {};
  const head = given?.of === sheet.header.of && given.column !== null ? given : null;
  if (head === sheet.head) return;
  sheet.head = head;
  const own = head && linesOf(head, body);
  sheet.lines = sheet.means.map((one) => (one.column === head?.column ? { ...one, ...own } : one));
  if (head) seek(sheet, head.column);
}

function linesOf({ count, looks, mixed }, body) {
  return {
    count,
    looks,
    mixed,
    pairs: new Uint16Array(body.buffer, body.byteOffset, 2 * count),
    shares: body.subarray(4 * count, 5 * count),
  };
}

// A head out of sight: the camera goes there.
function seek(sheet, column) {
  const [from, to] = sheet.inSight();
  if (column > from && column < to) return;
  sheet.fly(sheet.around({ column, row: sheet.center().row }, sheet.camera.k));
}

/** The lines that are drawn and can be pointed at. */
export function linesDrawn(sheet) {
  return sheet.head ? sheet.lines.filter((one) => one.column === sheet.head.column) : sheet.lines;
}
