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
  readonly isAgents: boolean
}

/** Who gets the key and the code, and where code runs. */
const guarded = ['base-url', 'sandbox']
/** Besides: what an agent is, and what it reaches. */
const guardedForAgents = [...guarded, 'agent-command', 'agent-network']

/**
 * Keys of the configuration file that say where the key goes, which program runs, where, and what it reaches, where they
 * differ from the default branch: the author of the checked-out branch does not choose that. A flag or a variable is the
 * user's own word and, except with an agent, so is an edit that is not committed.
 */
export async function findUnmergedKeys(
  root: string,
  configPath: string,
  file: ConfigFile,
  { flags, environment, isAgents }: Said,
): Promise<readonly ConfigProblem[]> {
  const isSaid = (key: string) => {
    const { environment: variable = null } = options.find((option) => option.key === key) ?? {}
    return flags[key] !== undefined || (variable !== null && Boolean(environment[variable]))
  }
  const keys = isAgents ? guardedForAgents : guarded
  const given = keys.filter((key) => Object.hasOwn(file.values, key) && !isSaid(key))
  if (given.length === 0) return []
  const repository = await findRepository(root)
  const branch = await findDefaultBranch(repository)
  if (branch === null && !isAgents) return []
  const valuesAt = async (name: string | null) => {
    const sha = name === null ? null : await findCommit(repository, name)
    const text = sha === null ? null : await readCommitted(repository, sha, configPath)
    return text === null ? {} : readConfigFile(configPath, text).values
  }
  const [merged, committed] = [await valuesAt(branch), await valuesAt('HEAD')]
  return given
    .filter((key) => !isDeepStrictEqual(file.values[key], merged[key]))
    .filter((key) => isAgents || isDeepStrictEqual(file.values[key], committed[key]))
    .map((key) =>
      file.problemAt(
        [key],
        'value',
        `${key} is not what ${branch ?? 'the default branch'} has`,
        `Commit it there${key === 'agent-network' ? '' : `, or pass --${key}`}.`,
      ),
    )
}
