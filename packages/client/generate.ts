import openapiTypescript, { astToString } from 'openapi-typescript';

const HEAD = '// Generated from openapi/openapi.json by `npm run generate`; not to be edited.\n\n';
/** A filter such as `filter[metadata.{key}][eq]`, of which the caller chooses the key. */
const KEYED_FILTER = /"(filter\[[a-z_.]+)\{key\}(\]\[[a-z_]+\])"\?: string;/g;

/** The types of an OpenAPI document, as the text of `src/api.ts`. @param document JSON */
export async function generateTypes(document: object): Promise<string> {
  const nodes = await openapiTypescript(structuredClone(document) as never);
  return HEAD + astToString(nodes).replaceAll(KEYED_FILTER, '[filter: `$1${string}$2`]: string | undefined;');
}
