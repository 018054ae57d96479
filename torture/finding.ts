/** What a scenario has found about one promise of the service. */
export interface Finding {
  /** What was promised, as a person reads it. */
  readonly name: string;
  /** What was seen, with its unit. */
  readonly value: string;
  /** What it may be, with its unit. */
  readonly limit: string;
  /** Whether the promise was kept. */
  readonly ok: boolean;
}

/** A finding about something that must not occur: how often it did, and one case of it. */
export function none(name: string, cases: readonly unknown[]): Finding {
  const [first] = cases;
  const example = first === undefined ? '' : `, such as ${JSON.stringify(first).slice(0, 300)}`;
  return { name, value: `${cases.length}${example}`, limit: '0', ok: cases.length === 0 };
}

/** A finding about a figure that may not be larger; milliseconds, unless another unit is named. */
export function atMost(name: string, value: number, limit: number, unit = 'ms'): Finding {
  return { name, value: text(value, unit), limit: text(limit, unit), ok: value <= limit };
}

/** A finding about a figure that may not be smaller, such as a count without which the others mean nothing. */
export function atLeast(name: string, value: number, least: number, unit = ''): Finding {
  return { name, value: text(value, unit), limit: `≥ ${text(least, unit)}`, ok: value >= least };
}

/** A figure that is only told. */
export function told(name: string, value: number, unit = ''): Finding {
  return { name, value: text(value, unit), limit: 'none', ok: true };
}

function text(value: number, unit: string): string {
  return `${unit === 'ms' ? Math.round(value) : Math.round(value * 100) / 100} ${unit}`.trim();
}
