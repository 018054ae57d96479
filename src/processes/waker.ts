import type { Work } from '../background.ts';
import type { FromHttp } from './messages.ts';

/**
 * Passes on to the first process what may be due: everything of one turn of the event loop, or since the message before was
 * on its way, in one. A lost one costs a second. Of a process that stands still nothing is read, and what is sent to it stays
 * in our memory.
 *
 * @param send resolves when a message is on its way
 */
export function createWaker(
  send: (message: Extract<FromHttp, { kind: 'wake' }>) => Promise<void>,
  pendingSignUps: () => number,
): (work: Work) => void {
  const due = new Set<Work>();
  let isSending = false;
  const sendAll = async (): Promise<void> => {
    while (due.size > 0) {
      const message = { kind: 'wake', work: [...due], pendingSignUps: pendingSignUps() } as const;
      due.clear();
      await send(message);
    }
    isSending = false;
  };
  return (work) => {
    due.add(work);
    if (isSending) return;
    isSending = true;
    setImmediate(() => void sendAll());
  };
}
