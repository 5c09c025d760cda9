import { readFile } from 'node:fs/promises'
import { ExecutorError } from '../../core/domain/errors.ts'

/**
 * A configuration file's text; `null` when there is none. One that is there and cannot be read
 * stops the run: it may be the one that says `enabled: false`.
 *
 * @throws ExecutorError `file_unreadable`
 */
export async function readConfig(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new ExecutorError('file_unreadable', path, { cause })
  }
}
