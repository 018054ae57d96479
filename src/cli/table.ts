/** Rows below their titles, in columns. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [titles, ...rows].map(line).join('\n');
}
