/** The steps of a JSON Pointer (RFC 6901), by which a refusal names a member of a body. */

/** A step as it stands in a pointer, with the slash before it. */
export function pointerStep(step: string | number): string {
  return `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The name of a member, from its step without the slash. */
export function nameOfStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
