/** What a request is about: the resource that its path names, in the state that its caller knows. */
import { parseId, type IdPrefix } from '#domain/identifiers.ts';
import type { Request } from './contract.ts';
import { allowsChange } from './headers.ts';
import { notFound, Problem, problems } from './problems.ts';

/**
 * Finds what the id in a path names. What is no id of that kind is answered like what the project does not have.
 * @param find gives the resource of a uuid, if there is one
 * @throws Problem not_found
 */
export async function named<Resource>(
  { parameters }: Pick<Request, 'parameters'>,
  prefix: IdPrefix,
  find: (id: string) => Promise<Resource | null | undefined>,
): Promise<Resource> {
  const id = parseId(prefix, parameters['id'] ?? '');
  const found = id === null ? null : await find(id);
  if (found === null || found === undefined) throw notFound();
  return found;
}

/** @param tag of the state that is about to change. @throws Problem precondition_failed when `If-Match` names others only */
export function requireMatch({ ifMatch }: Pick<Request, 'ifMatch'>, tag: string): void {
  if (!allowsChange(ifMatch, tag)) throw new Problem(problems.precondition_failed);
}
