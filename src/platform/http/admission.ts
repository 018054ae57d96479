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

/** How many may be at work, as is learnt from how long answers take. */
interface Limit {
  current(): number;
  /** One was let in. */
  began(ticket: Ticket): void;
  /** There was no room for one. */
  refused(): void;
  /** How long it takes says nothing about us from now on. */
  ignore(ticket: Ticket): void;
  /** It has left. */
  ended(ticket: Ticket): void;
}

/** @param atWork how many are at work */
function createLimit(most: number, atWork: () => number, monotonicMs: () => number): Limit {
  let limit = most;
  let shrunkAt = -Infinity;
  /** When the first was let in under the present limit; `null`: nobody yet. */
  let triedSince: number | null = -Infinity;
  /** Whose answers count, as long as nothing is known about them; in the order in which they came. */
  const unjudged = new Set<Ticket>();
  const startWindow = (): { since: number; answered: number; slow: number; refused: number; peak: number } => ({
    since: monotonicMs(),
    answered: 0,
    slow: 0,
    refused: 0,
    peak: 0,
  });
  let window = startWindow();

  /** Whether all are judged whom the present limit let in first: at once only those are answered that never take long. */
  const isTried = (now: number): boolean => {
    if (triedSince === null || now - triedSince <= WINDOW_MS) return false;
    const [oldest] = unjudged;
    return oldest === undefined || oldest.since > triedSince + WINDOW_MS;
  };
  const adjust = (now: number): void => {
    const { answered, slow, refused, peak } = window;
    if (slow > answered * TOO_MANY_SLOW && peak >= limit / 2) {
      limit = Math.max(LEAST, Math.floor(limit * SHRINK));
      shrunkAt = now;
      triedSince = null;
      // What came in before the limit was lowered says nothing about the lower one.
      unjudged.clear();
    } else if (slow <= (answered * TOO_MANY_SLOW) / 2 && answered > 0 && refused > 0 && isTried(now)) {
      limit = Math.min(most, Math.ceil(limit * GROW));
      triedSince = null;
    }
    window = startWindow();
  };
  /** Who is at work for too long is slow already, whenever he will have his answer. */
  const judgeOverdue = (now: number): void => {
    for (const ticket of unjudged) {
      if (now - ticket.since <= TARGET_MS) return;
      unjudged.delete(ticket);
      window.answered += 1;
      window.slow += 1;
    }
  };
  const notePeak = (): void => {
    window.peak = Math.max(window.peak, atWork());
  };

  return {
    current: () => limit,
    began(ticket) {
      notePeak();
      triedSince ??= ticket.since;
      unjudged.add(ticket);
    },
    refused() {
      notePeak();
      window.refused += 1;
    },
    ignore: (ticket) => void unjudged.delete(ticket),
    ended(ticket) {
      const now = monotonicMs();
      judgeOverdue(now);
      if (unjudged.delete(ticket)) window.answered += 1;
      if (ticket.since >= shrunkAt && now - window.since >= WINDOW_MS) adjust(now);
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
  let atWork = 0;
  const memory = createMemory();
  const limit = createLimit(Math.max(LEAST, Math.floor(MOST / processes)), () => atWork, monotonicMs);

  return {
    admit() {
      if (atWork >= limit.current()) {
        limit.refused();
        return null;
      }
      const since = monotonicMs();
      const ticket: Ticket = { since, state: 'at work', wasAside: false, reserved: null, isHandled: false };
      limit.began(ticket);
      atWork += 1;
      return ticket;
    },
    stepAside(ticket) {
      if (ticket.state !== 'at work') return;
      ticket.state = 'aside';
      ticket.wasAside = true;
      limit.ignore(ticket);
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
      if (!ticket.wasAside) limit.ended(ticket);
    },
    reserve: (ticket, bytes, whose) => memory.reserve(ticket, bytes, whose),
    counts: () => ({ atWork, limit: limit.current() }),
  };
}
