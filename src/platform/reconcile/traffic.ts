/** Who waits for an answer while background work goes on, as far as it has to make room for him. */
export interface Traffic {
  /** A request has written something. */
  visit(): void;
  /** There is more background work than a portion holds. */
  noteBacklog(): void;
  /** Among the work of a place was what somebody has just signed up. */
  noteNew(place: string): void;
  /** Requests have written within the last second: the next one is not to find much in its way. */
  isVisited(): boolean;
  /** Many requests wait: what has no hour to keep waits for them, until they are fewer. */
  isBusy(): boolean;
  /** The same, or some come beside a lot of background work: what can gather for a moment does. */
  isCrowded(): boolean;
  /** Something new was among the work of the place within the last second: it grows while it is worked on. */
  isGrowing(place: string): boolean;
}

const RECENT_MS = 1_000;
/** From how many sign-ups at once on there are many. */
const BUSY_SIGN_UPS = 16;

/**
 * The traffic of one process with background work.
 * @param pendingSignUps how many wait to be written, in all processes
 */
export function createTraffic(pendingSignUps: () => number): Traffic {
  const last = { visit: -Infinity, backlog: -Infinity };
  /** The places with something new, the latest last; none that is over for long. */
  const news = new Map<string, number>();
  const isRecent = (at: number): boolean => performance.now() - at < RECENT_MS;
  const isBusy = (): boolean => pendingSignUps() >= BUSY_SIGN_UPS;
  const isVisited = (): boolean => isRecent(last.visit);
  return {
    visit() {
      last.visit = performance.now();
    },
    noteBacklog() {
      last.backlog = performance.now();
    },
    noteNew(place) {
      news.delete(place);
      news.set(place, performance.now());
      for (const [earlier, at] of news) {
        if (isRecent(at)) break;
        news.delete(earlier);
      }
    },
    isVisited,
    isBusy,
    isCrowded: () => isBusy() || (isVisited() && isRecent(last.backlog)),
    isGrowing: (place) => isRecent(news.get(place) ?? -Infinity),
  };
}

/** Nobody, for background work that has no room to make. */
export const noTraffic: Traffic = createTraffic(() => 0);
