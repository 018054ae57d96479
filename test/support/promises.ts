import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { formats } from '#features/formats.ts';
import type { RouteContract } from '#platform/http/contract.ts';
import { templateOf } from '#platform/http/openapi.ts';
import { problems } from '#platform/http/problems.ts';
import { createSchemaCompiler } from '#platform/http/validation.ts';
import type { App } from '../../src/app.ts';
import type { Json } from './builders.ts';
import type { Reply } from './service.ts';

/** What any request may be answered beside what its operation lists, as the reference says at its beginning. */
const ANYWHERE: ReadonlySet<number> = new Set([405, 408, 417, 431]);
const BEFORE_ANY_OPERATION = problems.invalid_url.code;

/** An operation with what the reference promises of it. */
interface Promised {
  readonly contract: RouteContract;
  readonly path: RegExp;
  /** Of each status: what the reference says of it, and of its body. */
  readonly answers: Readonly<Record<string, { readonly description: string; readonly schema: TSchema | undefined }>>;
}

/**
 * Compares answers with what the API reference promises: the status is one of the operation's, a refusal has one of the
 * codes that it lists and no member that is not described, and what else is answered has every member that its schema
 * names, and none beside.
 */
export function createPromiseKeeper({
  contracts,
  openapi,
}: Pick<App, 'contracts' | 'openapi'>): (method: string, path: string, reply: Reply) => void {
  const compiler = createSchemaCompiler(formats);
  // Most tests ask a few operations.
  const compiled = new Map<TSchema, ReturnType<typeof compiler.compile>>();
  const checkOf = (schema: TSchema): ReturnType<typeof compiler.compile> => {
    const check = compiled.get(schema) ?? compiler.compile(schema);
    compiled.set(schema, check);
    return check;
  };
  const paths = openapi['paths'] as Record<
    string,
    Record<string, { responses: Record<string, { description: string }> }>
  >;
  const { Problem: described } = (openapi['components'] as { schemas: Record<string, Json> }).schemas;
  const promised = contracts.map((contract): Promised => {
    const successes = [contract.response, ...(contract.alsoAnswers ?? [])];
    const shown = paths[templateOf(contract.path)]?.[contract.method.toLowerCase()];
    return {
      contract,
      path: new RegExp(`^${contract.path.replaceAll(/:[a-z_]+/g, '[^/]+')}$`),
      answers: Object.fromEntries(
        Object.entries(shown?.responses ?? {}).map(([status, { description }]) => {
          const schema = successes.find((success) => String(success.status) === status)?.schema;
          return [status, { description, schema }];
        }),
      ),
    };
  });
  return (method, target, { status, json, text }) => {
    const [path = ''] = target.split('?');
    const operation = promised.find((each) => each.contract.method === method && each.path.test(path));
    if (operation === undefined || ANYWHERE.has(status) || json?.code === BEFORE_ANY_OPERATION) return;
    const asked = `${method} ${target} answered ${status}`;
    const answer = operation.answers[status];
    assert.ok(answer !== undefined, `${asked}, which its reference does not list: ${text}`);
    if (status >= 400) {
      const isOfMembers = status === 400 && (json.errors as Json[]).some(({ code }) => code === json.code);
      const code = isOfMembers ? problems.validation_failed.code : json.code;
      assert.ok(answer.description.includes(`\`${code}\``), `${asked} with the code ${json.code} that is not listed`);
      const unknown = Object.keys(json).filter((name) => !Object.hasOwn(described.properties, name));
      assert.deepEqual(unknown, [], `${asked} with members that its reference does not describe: ${text}`);
    } else if (answer.schema === undefined) assert.equal(text, '', `${asked} with a body`);
    else
      assert.deepEqual(
        checkOf(answer.schema)(json),
        [],
        `${asked} with what its schema does not say: ${text.slice(0, 2000)}`,
      );
  };
}
