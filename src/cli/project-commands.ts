import { createProject, listProjects, type Project } from '#features/projects/index.ts';
import { UsageError, withDependencies, type Command } from './command.ts';
import { table } from './table.ts';

const createCommand: Command = {
  name: 'project create',
  summary: 'Create a project.',
  options: {
    name: { value: 'NAME', meaning: 'What it is called.', needed: true },
    mode: { value: 'sandbox|live', meaning: 'Whether its market is simulated. It stays so for ever.', needed: true },
  },
  async run(open, { options }) {
    const mode = options['mode'];
    if (mode !== 'sandbox' && mode !== 'live') throw new UsageError('--mode must be sandbox or live');
    return withDependencies(open, async (dependencies) => {
      const created = await createProject(dependencies, { name: options['name'] ?? '', mode });
      if (!created.ok) throw new UsageError(`--${created.field} ${created.message}`);
      const { project } = created;
      return { exitCode: 0, json: toJson(project), text: `Created the ${project.mode} project ${project.id}.` };
    });
  },
};

const listCommand: Command = {
  name: 'project list',
  summary: 'List all projects, oldest first.',
  async run(open) {
    return withDependencies(open, async (dependencies) => {
      const projects = await listProjects(dependencies);
      return {
        exitCode: 0,
        json: { object: 'list', items: projects.map(toJson) },
        text: table(
          ['ID', 'MODE', 'CREATED', 'NAME'],
          projects.map(({ id, mode, createdAt, name }) => [id, mode, createdAt, name]),
        ),
      };
    });
  },
};

function toJson({ id, name, mode, createdAt }: Project): Record<string, unknown> {
  return { object: 'project', id, name, mode, created_at: createdAt };
}

/** The commands about projects. */
export const projectCommands: readonly Command[] = [createCommand, listCommand];
