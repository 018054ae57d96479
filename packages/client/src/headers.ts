/** Whether it is some `Headers`, of whatever class: libraries bring their own, and test runners have another realm's. */
export function isHeaders(value: object): value is Headers {
  const { get, entries } = value as Readonly<Record<'get' | 'entries', unknown>>;
  return typeof get === 'function' && typeof entries === 'function';
}
