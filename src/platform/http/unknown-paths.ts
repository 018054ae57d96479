import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, problems } from './problems.ts';

/** Whether no route has its path; the router takes no text at all for a parameter too. */
export function isUnknownPath(request: FastifyRequest): boolean {
  return request.is404 || Object.values(request.params as Record<string, string>).includes('');
}

/** Answers 405 with `Allow` where the path is known, 404 elsewhere. */
export function createRefuseUnknown(
  routes: readonly { readonly method: string; readonly path: string }[],
): (request: FastifyRequest, reply: FastifyReply) => never {
  const known = routes.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return (request, reply) => {
    const path = decodePath(request.url.split('?', 1)[0] ?? '');
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) throw new Problem(problems.not_found, 'There is no such route.');
    if (methods.includes('GET')) methods.push('HEAD');
    void reply.header('allow', [...new Set(methods)].join(', '));
    throw new Problem(problems.method_not_allowed);
  };
}

function patternOf(path: string): RegExp {
  const fixed = path.split(/:[a-z_]+/).map((part) => RegExp.escape(part));
  return new RegExp(`^${fixed.join('[^/]+')}$`);
}

/** The path as the router reads it. @throws Problem when it is not percent-encoded UTF-8 */
function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    throw new Problem(problems.invalid_url);
  }
}
