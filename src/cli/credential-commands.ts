import { endOfBerlinDay, isDay } from '#domain/calendar.ts';
import {
  createCredential,
  listCredentials,
  MAX_USABLE_CREDENTIALS,
  revokeCredential,
  type Credential,
  type CredentialCreation,
} from '#features/projects/index.ts';
import {
  CommandFailure,
  projectNotFound,
  projectOption,
  UsageError,
  withDependencies,
  type Command,
} from './command.ts';
import { table } from './table.ts';

const createCommand: Command = {
  name: 'credential create',
  summary: 'Create a credential; its secret is shown once only.',
  options: {
    project: projectOption,
    name: { value: 'NAME', meaning: 'Who or what uses it.', needed: true },
    scopes: { value: 'read:*,write:*', meaning: 'What it may do; both when absent.' },
    expires: {
      value: 'INSTANT|DATE',
      meaning: 'When it ends, such as 2027-01-31T00:00:00Z, or 2027-01-31: at the end of that day in Berlin.',
    },
  },
  async run(open, { options }) {
    const scopes = options['scopes']?.split(',').map((scope) => scope.trim());
    const expires = options['expires'];
    const expiresAt = expires === undefined ? undefined : readExpiry(expires);
    return withDependencies(open, async (dependencies) => {
      const created = await createCredential(dependencies, {
        projectId: options['project'] ?? '',
        name: options['name'] ?? '',
        ...(scopes === undefined ? {} : { scopes }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
      if (!created.ok) throw refusal(created, options['project'] ?? '');
      const { id, clientId, clientSecret } = created;
      return {
        exitCode: 0,
        json: { object: 'credential', id, client_id: clientId, client_secret: clientSecret },
        text: [
          `Created the credential ${id}. The secret is not shown again.`,
          `client id:     ${clientId}`,
          `client secret: ${clientSecret}`,
        ].join('\n'),
      };
    });
  },
};

const listCommand: Command = {
  name: 'credential list',
  summary: 'List the credentials of a project, oldest first, revoked and expired ones too.',
  options: { project: projectOption },
  async run(open, { options }) {
    return withDependencies(open, async (dependencies) => {
      const projectId = options['project'] ?? '';
      const found = await listCredentials(dependencies, projectId);
      if (!found.ok) throw projectNotFound(projectId);
      return {
        exitCode: 0,
        json: { object: 'list', items: found.credentials.map(toJson) },
        text: table(
          ['ID', 'CLIENT ID', 'STATE', 'SCOPES', 'EXPIRES', 'NAME'],
          found.credentials.map((credential) => [
            credential.id,
            credential.clientId,
            stateOf(credential),
            credential.scopes.join(','),
            credential.expiresAt ?? 'never',
            credential.name,
          ]),
        ),
      };
    });
  },
};

const revokeCommand: Command = {
  name: 'credential revoke',
  summary: 'Revoke a credential and all its tokens, for good.',
  options: { project: projectOption, id: { value: 'ID', meaning: 'The credential (crd_…).', needed: true } },
  async run(open, { options }) {
    return withDependencies(open, async (dependencies) => {
      const id = options['id'] ?? '';
      const revoked = await revokeCredential(dependencies, { projectId: options['project'] ?? '', id });
      if (!revoked.ok) throw new CommandFailure(revoked.reason, `there is no credential ${id} in that project`);
      return { exitCode: 0, json: { object: 'credential', id, revoked: true }, text: `Revoked the credential ${id}.` };
    });
  },
};

/** An instant, or the end of a day in Berlin. @throws UsageError */
function readExpiry(text: string): Temporal.Instant {
  try {
    return isDay(text) ? endOfBerlinDay(Temporal.PlainDate.from(text)) : Temporal.Instant.from(text);
  } catch {
    throw new UsageError('--expires must be a date such as 2027-01-31 or an instant such as 2027-01-31T00:00:00Z');
  }
}

function refusal(created: Extract<CredentialCreation, { ok: false }>, projectId: string): Error {
  switch (created.reason) {
    case 'project_not_found':
      return projectNotFound(projectId);
    case 'too_many_credentials':
      return new CommandFailure(
        created.reason,
        `the project has ${MAX_USABLE_CREDENTIALS} usable credentials already, which is the limit; revoke one`,
      );
    case 'client_id_taken':
      return new CommandFailure(created.reason, 'the client id is taken; try again');
    case 'invalid_input':
      return new UsageError(`--${created.field.replace('expiresAt', 'expires')} ${created.message}`);
  }
}

function stateOf(credential: Credential): string {
  if (credential.revokedAt !== null) return 'revoked';
  return credential.usable ? 'usable' : 'expired';
}

function toJson(credential: Credential): Record<string, unknown> {
  return {
    object: 'credential',
    id: credential.id,
    client_id: credential.clientId,
    name: credential.name,
    scopes: credential.scopes,
    api_version: credential.apiVersion,
    expires_at: credential.expiresAt,
    revoked_at: credential.revokedAt,
    created_at: credential.createdAt,
    usable: credential.usable,
  };
}

/** The commands about credentials. */
export const credentialCommands: readonly Command[] = [createCommand, listCommand, revokeCommand];
