/** What a torture has seen, beside what is asked. */
export interface Finding {
  readonly name: string;
  readonly value: number;
  /** In the same unit as `value`; `null`: told, not asked. */
  readonly limit: number | null;
  readonly ok: boolean;
}

/** A figure that may not be larger. */
export function atMost(name: string, value: number, limit: number): Finding {
  return { name, value: rounded(value), limit, ok: value <= limit };
}

/** A figure that may not be smaller. */
export function atLeast(name: string, value: number, limit: number): Finding {
  return { name, value: rounded(value), limit, ok: value >= limit };
}

/** A figure that is only told. */
export function told(name: string, value: number): Finding {
  return { name, value: rounded(value), limit: null, ok: true };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
