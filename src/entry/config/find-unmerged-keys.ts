import { isDeepStrictEqual } from 'node:util'
import {
  findCommit,
  findDefaultBranch,
  findRepository,
  readCommitted,
} from '../../adapters/user-checkout.ts'
import { type ConfigFile, type ConfigProblem, readConfigFile } from './read-config-file.ts'

/**
 * Keys of the configuration file that say which program runs and what it reaches, where they differ from the default
 * branch: the author of the checked-out branch does not choose what runs here. A flag is the user's own word.
 */
export async function findUnmergedKeys(
  root: string,
  configPath: string,
  file: ConfigFile,
  flags: Readonly<Record<string, unknown>>,
): Promise<readonly ConfigProblem[]> {
  const keys = [...(flags['agent-command'] === undefined ? ['agent-command'] : []), 'agent-network']
  const given = keys.filter((key) => Object.hasOwn(file.values, key))
  if (given.length === 0) return []
  const repository = await findRepository(root)
  const branch = await findDefaultBranch(repository)
  const sha = branch === null ? null : await findCommit(repository, branch)
  const text = sha === null ? null : await readCommitted(repository, sha, configPath)
  const merged = text === null ? {} : readConfigFile(configPath, text).values
  return given
    .filter((key) => !isDeepStrictEqual(file.values[key], merged[key]))
    .map((key) =>
      file.problemAt(
        [key],
        'value',
        `${key} is not what ${branch ?? 'the default branch'} has`,
        `Commit it there${key === 'agent-command' ? ', or pass --agent-command' : ''}.`,
      ),
    )
}
