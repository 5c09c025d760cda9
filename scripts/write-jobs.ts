import { z } from 'zod'

/**
 * What may run in a job whose token can write: programs of the runner, with the subcommands that start nothing else,
 * and these actions. Everything else may be code that came with packages, and that the token would be given to.
 */
const programs: Readonly<Record<string, readonly string[] | 'all'>> = {
  ...{ for: 'all', done: 'all', echo: 'all', printf: 'all', test: 'all' },
  git: ['config', 'add', 'commit', 'tag', 'push'],
  gh: ['api', 'release'],
  docker: ['load', 'login', 'push', 'image', 'pull', 'tag'],
  // Only with --ignore-scripts; see below.
  npm: ['publish'],
}

const actions =
  /^(?:actions\/(?:checkout|setup-node|upload-artifact|download-artifact|create-github-app-token)|roadmap-executor\/roadmap-executor)@/

/** Variables by which such a program loads or starts others. */
const loaders =
  /^(?:NODE_|NPM_|GIT_|GH_(?!TOKEN$)|DOCKER_|LD_|DYLD_|BASH_|ENV$|PATH$|SHELLOPTS$|IFS$|(?:GIT_)?(?:EDITOR|PAGER|BROWSER)$)/i

const environment = z.record(z.string(), z.unknown()).default({})

const step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  env: environment,
})

const job = z.looseObject({
  ...{
    uses: z.string().optional(),
    container: z.unknown().optional(),
    services: z.unknown().optional(),
  },
  ...{ defaults: z.unknown().optional(), env: environment, steps: z.array(step).default([]) },
})

/** A token for npm's trusted publishing writes nothing on GitHub, but publishes. */
export const mayWrite = (permissions: unknown): boolean =>
  Object.values(Object(permissions)).some((each) => each !== 'read' && each !== 'none')

/** The places of a job that writes where other code could run, as keys below the job. */
export function foreignCodeIn(given: unknown): readonly (readonly (string | number)[])[] {
  const { uses, steps, env, ...rest } = job.parse(given)
  const isForeign = {
    uses: uses !== undefined,
    container: rest.container !== undefined,
    services: rest.services !== undefined,
    defaults: rest.defaults !== undefined,
    env: Object.keys(env).some((name) => loaders.test(name)),
  }
  return [
    ...Object.entries(isForeign).flatMap(([key, isIt]) => (isIt ? [[key]] : [])),
    ...steps.flatMap((each, index) => {
      const keys = {
        uses: each.uses !== undefined && !actions.test(each.uses),
        shell: each.shell !== undefined && !/^(?:ba)?sh$/.test(each.shell),
        env: Object.keys(each.env).some((name) => loaders.test(name)),
        run: each.run !== undefined && startsOthers(each.run),
      }
      return Object.entries(keys).flatMap(([key, isIt]) => (isIt ? [['steps', index, key]] : []))
    }),
  ]
}

/** Reads a script more strictly than a shell: what it cannot read starts another program. */
function startsOthers(script: string): boolean {
  if (/\bGITHUB_(?:ENV|PATH)\b/.test(script)) return true
  const plain = script
    .replaceAll(/\\\n/g, ' ')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/\$\{[\w%.,*]+\}/g, '$name')
  const commands = plain
    .split(/\n|[;|&(){}`]|\b(?:do|then)\b/)
    .map((each) => each.trim().replace(/^(?:\w+=\S*\s*)+/, ''))
  return commands.some((command) => {
    const [program = '', ...words] = command.split(/\s+/)
    if (/^[")\]$]*$/.test(program)) return false
    const allowed = Object.hasOwn(programs, program) ? programs[program] : undefined
    if (allowed === undefined) return true
    if (program === 'npm' && !words.includes('--ignore-scripts')) return true
    // An option before the subcommand can name a program to start.
    return allowed !== 'all' && !allowed.includes(words[0] ?? '')
  })
}
