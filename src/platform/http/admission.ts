/** Keeps requests from waiting for longer than their callers do: what would is refused before any work is done for it. */
export interface Admission {
  /** Counts a request in; `null`: there is no room, refuse it. */
  admit(): Ticket | null;
  /** The request waits for its caller, or for something to happen, and is in nobody's way. */
  stepAside(ticket: Ticket): void;
  /** It is at work again. */
  stepBack(ticket: Ticket): void;
  /** The request has its answer, or will never have one. May be called again. */
  leave(ticket: Ticket): void;
  /**
   * Sets memory aside for a body, which is kept until the request has its answer; given back by `leave`. `false`: there is
   * none.
   *
   * @param whose whoever sends it, with all that he has sent: nobody has all of it
   */
  reserve(ticket: Ticket, bytes: number, whose: string): boolean;
  /** Requests at work, and how many may be. */
  counts(): { readonly atWork: number; readonly limit: number };
}

/** A request that was let in. */
export interface Ticket {
  readonly since: number;
  state: 'at work' | 'aside' | 'gone';
  /** Whether it was aside: how long it took says nothing about us. */
  wasAside: boolean;
  reserved: { readonly whose: string; readonly bytes: number } | null;
  /** Its handler is at work, and will answer whether anybody still listens or not. */
  isHandled: boolean;
}

/** At work at once in all processes; what may come in one burst to a service that is fast enough. */
const MOST = 1_000;
const LEAST = 32;
/** Answers are meant to take no longer. */
const TARGET_MS = 700;
const WINDOW_MS = 100;
const TOO_MANY_SLOW = 0.1;
const SHRINK = 0.7;
const GROW = 1.25;
/** All large bodies together, on their way and at work: what is made of one takes several times its size. */
const MAX_RESERVED_BYTES = 64 * 1024 * 1024;
/** Of these, the part that one may have. */
const PART_OF_ONE = 1 / 4;

/** Sets memory aside for large bodies; nobody has all of it. */
function createMemory(): Pick<Admission, 'reserve'> & { giveBack(ticket: Ticket): void } {
  let reserved = 0;
  const shares = new Map<string, number>();
  return {
    reserve(ticket, bytes, whose) {
      // Of one that is gone nobody would give it back.
      if (ticket.state === 'gone' || ticket.reserved !== null) return false;
      const share = (shares.get(whose) ?? 0) + bytes;
      if (reserved + bytes > MAX_RESERVED_BYTES || share > MAX_RESERVED_BYTES * PART_OF_ONE) return false;
      reserved += bytes;
      shares.set(whose, share);
      ticket.reserved = { whose, bytes };
      return true;
    },
    giveBack(ticket) {
      if (ticket.reserved === null) return;
      const { whose, bytes } = ticket.reserved;
      ticket.reserved = null;
      reserved -= bytes;
      const left = (shares.get(whose) ?? 0) - bytes;
      if (left > 0) shares.set(whose, left);
      else shares.delete(whose);
    },
  };
}

/**
 * Lets so many requests be at work that each is answered in well under a second: fewer when answers take longer while it
 * is full, more when they do not and requests were refused.
 *
 * @param processes that share the machine and the database, this one included
 */
export function createAdmission(processes = 1, monotonicMs: () => number = () => performance.now()): Admission {
  const most = Math.max(LEAST, Math.floor(MOST / processes));
  let atWork = 0;
  const memory = createMemory();
  let limit = most;
  let shrunkAt = -Infinity;
  const startWindow = (): { since: number; answered: number; slow: number; refused: number; peak: number } => ({
    since: monotonicMs(),
    answered: 0,
    slow: 0,
    refused: 0,
    peak: 0,
  });
  let window = startWindow();

  const adjust = (now: number): void => {
    const { answered, slow, refused, peak } = window;
    if (slow > answered * TOO_MANY_SLOW && peak >= limit / 2) {
      limit = Math.max(LEAST, Math.floor(limit * SHRINK));
      shrunkAt = now;
    } else if (slow <= (answered * TOO_MANY_SLOW) / 2 && answered > 0 && refused > 0)
      limit = Math.min(most, Math.ceil(limit * GROW));
    window = startWindow();
  };
  const observe = (since: number, now: number): void => {
    // What came in before the limit was lowered says nothing about the lower one.
    if (since < shrunkAt) return;
    window.answered += 1;
    if (now - since > TARGET_MS) window.slow += 1;
    if (now - window.since >= WINDOW_MS) adjust(now);
  };

  return {
    admit() {
      window.peak = Math.max(window.peak, atWork);
      if (atWork >= limit) {
        window.refused += 1;
        return null;
      }
      atWork += 1;
      return { since: monotonicMs(), state: 'at work', wasAside: false, reserved: null, isHandled: false };
    },
    stepAside(ticket) {
      if (ticket.state !== 'at work') return;
      ticket.state = 'aside';
      ticket.wasAside = true;
      atWork -= 1;
    },
    stepBack(ticket) {
      if (ticket.state !== 'aside') return;
      ticket.state = 'at work';
      atWork += 1;
    },
    leave(ticket) {
      if (ticket.state === 'gone') return;
      if (ticket.state === 'at work') atWork -= 1;
      memory.giveBack(ticket);
      ticket.state = 'gone';
      if (!ticket.wasAside) observe(ticket.since, monotonicMs());
    },
    reserve: (ticket, bytes, whose) => memory.reserve(ticket, bytes, whose),
    counts: () => ({ atWork, limit }),
  };
}
