import { sleep } from './clock.ts';
import type { components } from './api.ts';

type Schemas = components['schemas'];

/** Every type of event that this version knows; a service may tell of others. */
export type EventType = Schemas['Event']['type'];

type AnyData = Schemas['EventData'];

/** The resource that a type begins with, which is there, and what is said of the change. */
type DataOf<Type extends EventType> = Type extends `${infer Name extends keyof AnyData}.${string}`
  ? Readonly<Required<Pick<AnyData, Name>> & Pick<AnyData, 'fields' | 'reason' | 'substitute_supply'>> & {
      /** What the members that changed were before. */
      readonly previous_attributes: Partial<NonNullable<AnyData[Name]>>;
    }
  : never;

/** What a test of a webhook endpoint sends: it is in no feed. */
export type WebhookTest = Schemas['WebhookTestEvent'];

/** An event; its `type` tells which resource `data` holds. */
export type WattlineEvent = {
  readonly [Type in EventType]: Omit<Schemas['Event'], 'type' | 'data'> & {
    readonly type: Type;
    readonly data: DataOf<Type>;
  };
}[EventType];

/** An event of the feed, and where to read on. */
export interface FeedItem {
  readonly event: WattlineEvent;
  /**
   * To be stored once the event is dealt with. Reading on from it misses nothing; the events that were answered together with
   * this one may come again, so deal with an `event.id` once.
   */
  readonly cursor: string | null;
}

/** What to read of the feed. */
export interface EventOptions {
  /** The cursor to read on from; absent or null: from the very first event. */
  readonly after?: string | null;
  /** Types, also `subscription.*`; absent: all. */
  readonly types?: readonly (EventType | '*' | `${string}.*`)[];
  /** Ends the iteration when it aborts. */
  readonly signal?: AbortSignal;
}

/** One answer of the feed. */
export type FeedPage = Schemas['EventFeed'];

/** How often the feed is read at most: a service that is shutting down answers at once that there is nothing new. */
const PAUSE_MS = 1_000;

/** Reads the feed page by page and waits for what is to come, until the signal aborts. @throws what reading a page throws */
export async function* followFeed(
  { after = null, signal }: EventOptions,
  readPage: (after: string | null) => Promise<FeedPage>,
): AsyncGenerator<FeedItem, void, undefined> {
  const isOver = (): boolean => signal?.aborted === true;
  let cursor = after;
  while (!isOver()) {
    const begun = performance.now();
    const page = await readPage(cursor).catch((error: unknown) => {
      if (isOver()) return null;
      throw error;
    });
    if (page === null) return;
    for (const [index, event] of page.items.entries()) {
      if (isOver()) return;
      const isLast = index === page.items.length - 1;
      yield { event: event as unknown as WattlineEvent, cursor: isLast ? page.next_page : cursor };
    }
    cursor = page.next_page;
    const rest = PAUSE_MS - (performance.now() - begun);
    if (page.items.length === 0 && rest > 0) await sleep(rest, signal ?? null).catch(() => {});
  }
}
