import { Client, type ClientConfig } from 'pg';
import { normaliseMeterNumber } from '#domain/identifiers.ts';
import { hashUuid, type Keys } from '#platform/crypto.ts';

/** A row of some table as text, with what is encrypted in it in clear behind. */
export interface DumpedRow {
  readonly table: string;
  readonly text: string;
}

/** Every row of every table, all columns, sorted; what the service has encrypted is decrypted where it can be. */
export async function dumpDatabase(connection: ClientConfig, keys: Keys): Promise<DumpedRow[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    );
    const rows: DumpedRow[] = [];
    for (const { name } of tables.rows) {
      const found = await client.query<{ text: string }>(`select t::text as text from "${name}" t order by 1`);
      rows.push(...found.rows.map(({ text }) => ({ table: name, text })));
    }
    const secrets = await client.query<{ table: string; bytes: Buffer; context: string }>(
      `select 'payment_methods' as table, details_encrypted as bytes,
         'payment_method/' || project_id || '/' || id as context from payment_methods
       union all
       select 'idempotency_keys', body_encrypted, 'idempotency/' || project_id || '/' || key from idempotency_keys
       where body_encrypted is not null
       union all
       select 'leads', payment_method_encrypted, 'lead/' || project_id || '/' || id from leads
       where payment_method_encrypted is not null
       union all
       select 'audit_log', reason_encrypted, 'audit-reason/' || project_id || '/' || id from audit_log
       where reason_encrypted is not null`,
    );
    for (const { table, bytes, context } of secrets.rows) {
      rows.push({ table: `${table} (decrypted)`, text: `${context} ${keys.decrypt(bytes, context)}` });
    }
    return rows;
  } finally {
    await client.end();
  }
}

/** A text in every form in which it could be hidden somewhere, in lower case. */
export function disguises(text: string): string[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const coded = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).toString('base64');
    // The first and the last characters depend on what stands around.
    const certain = coded.replaceAll('=', '').slice(shift === 0 ? 0 : 4, -2);
    return certain.length < 8 ? [] : [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const forms = [
    text,
    normaliseMeterNumber(text),
    text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim(),
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    Buffer.from(text).toString('hex'),
    Buffer.from(text.toUpperCase()).toString('hex'),
    hashUuid(text),
    hashUuid(text).replaceAll('-', ''),
    ...base64,
  ];
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}
