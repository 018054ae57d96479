/** What may contain a semicolon without ending a statement, then the semicolon itself. */
const TOKENS =
  /\$([A-Za-z_]\w*)?\$[^]*?\$\1\$|[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|[A-Za-z_]\w*|;/g;

/**
 * Cuts SQL text into its statements, minding quotes, dollar quotes and comments (not nested ones, nor `begin atomic`
 * bodies). Pieces of comments and blanks only are left out.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let hasCode = false;
  const finish = (end: number): void => {
    if (hasCode) statements.push(text.slice(start, end).trim());
    start = end + 1;
    hasCode = false;
  };
  for (const match of text.matchAll(TOKENS)) {
    if (match[0] === ';') finish(match.index);
    else hasCode ||= !/^(--|\/\*)/.test(match[0]);
  }
  finish(text.length);
  return statements;
}
