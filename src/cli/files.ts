import { open, type FileHandle } from 'node:fs/promises';
import { messageOf } from '#platform/message-of.ts';
import { CommandFailure } from './command.ts';

/** Opens a file that the operator has named, to be read. @throws CommandFailure unreadable_file */
export async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(path, messageOf(error));
  });
  // A folder can be opened; what is read of it fails later, and without its name.
  if (!(await file.stat()).isDirectory()) return file;
  await file.close();
  throw unreadable(path, 'it is a folder');
}

/** Says of a file that it cannot be read. */
export function unreadable(path: string, reason: string): CommandFailure {
  return new CommandFailure('unreadable_file', `${path} cannot be read: ${reason}`);
}
