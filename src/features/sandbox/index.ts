import { route, type Route } from '#platform/http/contract.ts';
import { problems } from '#platform/http/problems.ts';
import { marketProblems } from '../problems.ts';
import { createAdvances, type AdvanceDependencies } from './advances.ts';
import {
  advanceSchema,
  clockSchema,
  handleAdvanceClock,
  handleReadClock,
  type Advance,
  type ClockDependencies,
} from './clock.ts';

const tag = 'Sandbox';

/** The routes that only sandbox projects have. */
export function createSandboxRoutes(known: Omit<ClockDependencies, 'advances'> & AdvanceDependencies): Route[] {
  const dependencies = { ...known, advances: createAdvances(known) };
  return [
    route(
      {
        operationId: 'readSandboxClock',
        method: 'GET',
        path: '/sandbox/clock',
        tag,
        summary: 'Read the project’s clock',
        description: 'A sandbox project has a time of its own. A live project has no such clock, and is answered 404.',
        access: 'read:*',
        response: { status: 200, description: 'The clock.', schema: clockSchema },
        problems: [problems.not_found],
      },
      (request) => handleReadClock(dependencies, request),
    ),
    route<Advance>(
      {
        operationId: 'advanceSandboxClock',
        method: 'POST',
        path: '/sandbox/clock',
        tag,
        summary: 'Advance the project’s clock',
        description:
          'Moves the project’s time forward and answers when everything due until then has happened, in order: answers of the simulated market, deadlines, starts and ends of supply; their events can be read. From the first advance on the clock stands still between advances.',
        access: 'write:*',
        body: advanceSchema,
        collectsErrors: true,
        bodyExample: { advance_by: 'P1D' },
        response: { status: 200, description: 'The clock where it stands now.', schema: clockSchema },
        problems: [marketProblems.clock_moves_forward_only, problems.not_found, problems.precondition_failed],
      },
      (request) => handleAdvanceClock(dependencies, request),
    ),
  ];
}
