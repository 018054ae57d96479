/** `Headers` as a library brings its own, such as undici, or what a server framework stands on; of another class than the global ones. */
export function foreignHeaders(pairs: Iterable<readonly [string, string]>): Headers {
  const own = new Headers([...pairs].map(([name, value]) => [name, value]));
  return {
    append: (name, value) => own.append(name, value),
    delete: (name) => own.delete(name),
    get: (name) => own.get(name),
    getSetCookie: () => own.getSetCookie(),
    has: (name) => own.has(name),
    set: (name, value) => own.set(name, value),
    forEach: (callback) => own.forEach(callback),
    entries: () => own.entries(),
    keys: () => own.keys(),
    values: () => own.values(),
    [Symbol.iterator]: () => own[Symbol.iterator](),
  };
}
