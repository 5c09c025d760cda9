import { isDeepStrictEqual } from 'node:util'
import {
  findCommit,
  findDefaultBranch,
  findRepository,
  readCommitted,
} from '../../adapters/user-checkout.ts'
import { options } from './options.ts'
import { type ConfigFile, type ConfigProblem, readConfigFile } from './read-config-file.ts'

interface Said {
  readonly flags: Readonly<Record<string, unknown>>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What an agent is, where it runs and what it reaches; and who gets the key and all that it reads. */
const guarded = ['agent-command', 'agent-network', 'base-url', 'sandbox']

/**
 * Keys of the configuration file that say which program runs, where, and what it reaches, where they differ from the
 * default branch: the author of the checked-out branch does not choose what runs here. A flag or a variable is the
 * user's own word.
 */
export async function findUnmergedKeys(
  root: string,
  configPath: string,
  file: ConfigFile,
  { flags, environment }: Said,
): Promise<readonly ConfigProblem[]> {
  const isSaid = (key: string) => {
    const { environment: variable = null } = options.find((option) => option.key === key) ?? {}
    return flags[key] !== undefined || (variable !== null && Boolean(environment[variable]))
  }
  const given = guarded.filter((key) => Object.hasOwn(file.values, key) && !isSaid(key))
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
        `Commit it there${key === 'agent-network' ? '' : `, or pass --${key}`}.`,
      ),
    )
}
