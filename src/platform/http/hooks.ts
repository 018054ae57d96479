import type { FastifyReply, FastifyRequest } from 'fastify';

/** A hook that needs no promise, which would cost each request a turn of its own. */
export function step(
  work: (request: FastifyRequest, reply: FastifyReply) => undefined,
): (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void {
  return (request, reply, done) => when(() => work(request, reply), done);
}

/** Goes on once the work is done, at once where nothing is waited for. */
export function when(work: () => Promise<void> | undefined, done: (error?: Error) => void): void {
  let begun: Promise<void> | undefined;
  try {
    begun = work();
  } catch (error) {
    done(error as Error);
    return;
  }
  if (begun === undefined) done();
  else void settle(begun, done);
}

async function settle(begun: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await begun;
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}
