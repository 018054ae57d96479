/** The `code` of an error of the system, of Node or of the database, such as `ENOENT`; undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
