import { once } from '../../../text/text.ts'
import { isKnown, UNKNOWN } from '../finding.ts'
import { afterOptions } from './call.ts'

/** A program that runs another one, and the arguments of its own that come first. */
interface Runner {
  readonly programs: string
  /** Options that take the next argument, before and after the subcommand. */
  readonly valued?: string
  /** The subcommands that run another program; without this, the program always does. */
  readonly verb?: RegExp
  /** The program that a subcommand stands for. */
  readonly becomes?: (verb: string) => string
  /** The number of its own arguments after the options. */
  readonly operands?: number
  /** The word before the command, wherever it is. */
  readonly behind?: RegExp
  /** An option that takes a script instead of a command. */
  readonly unless?: RegExp
  /** True when more arguments come from standard input. */
  readonly isFed?: boolean
}

const itself = (verb: string) => verb
const compose = '-f --file -p --project-name --env-file --profile -H --context'
const container =
  '-e --env -v --volume -w --workdir -u --user --name --network --net --publish --entrypoint ' +
  '--mount --platform -h --hostname --index -l --label -m --memory --cpus'

const runners: readonly Runner[] = [
  {
    programs: `command builtin nohup setsid unbuffer busybox toybox shx bunx pnpx cross-env
      cross-env-shell pipx uvx`,
  },
  {
    programs: 'sudo',
    valued: '-u -g -h -p -C -T -r -t -U -D -R --user --group --host --prompt --chdir',
  },
  { programs: 'doas', valued: '-u -C' },
  { programs: 'env', valued: '-u -C --unset --chdir', unless: /^-S$/ },
  { programs: 'exec', valued: '-a' },
  { programs: 'nice', valued: '-n --adjustment' },
  { programs: 'ionice', valued: '-c -n -p --class --classdata' },
  { programs: 'time', valued: '-o -f' },
  { programs: 'timeout', valued: '-s -k --signal --kill-after', operands: 1 },
  { programs: 'stdbuf', valued: '-i -o -e' },
  { programs: 'caffeinate', valued: '-t -w' },
  { programs: 'chroot', operands: 1 },
  { programs: 'flock', valued: '-w -E --timeout', operands: 1 },
  { programs: 'watch', valued: '-n --interval -d' },
  { programs: 'strace', valued: '-o -e -p -s' },
  { programs: 'retry', valued: '-t -d' },
  { programs: 'npx', valued: '-p --package', unless: /^(?:-c|--call)$/ },
  { programs: 'dotenv', valued: '-e -c -f' },
  { programs: 'dotenvx', valued: '-f' },
  {
    programs: 'xargs',
    valued: '-n -I -P -L -d -a -s -E --max-args --max-procs --delimiter --arg-file',
    isFed: true,
  },
  { programs: 'parallel', valued: '-j --jobs' },
  { programs: 'npm mise', verb: /^(?:exec|x)$/ },
  { programs: 'pnpm', verb: /^(?:exec|dlx)$/, valued: '--filter -F -C' },
  { programs: 'yarn', verb: /^(?:exec|dlx)$/ },
  { programs: 'bun', verb: /^x$/ },
  { programs: 'bundle asdf', verb: /^exec$/ },
  { programs: 'poetry pipenv pdm rye hatch', verb: /^run$/, valued: '-C' },
  { programs: 'uv', verb: /^run$/, valued: '--with --python -p --project --directory' },
  { programs: 'heroku', verb: /^run(?::detached)?$/, valued: '-a --app' },
  { programs: 'sail', verb: /^(?:shell|run)$/ },
  // Local tools by their bare names.
  {
    programs: 'yarn pnpm sail bun',
    verb: /^(?:rimraf|del-cli|shx|prisma|sequelize|sequelize-cli|knex|typeorm|artisan|cross-env|drizzle-kit|supabase)$/,
    becomes: itself,
  },
  { programs: 'python', behind: /^-m$/, unless: /^-c$/ },
  {
    programs: 'python',
    valued: '-W -X',
    verb: /(?:^|[\\/])manage\.py$/,
    becomes: itself,
    unless: /^-c$/,
  },
  { programs: 'terragrunt', verb: /^run(?:-all)?$/, becomes: () => 'terraform' },
  {
    programs: 'docker podman nerdctl',
    verb: /^compose$/,
    becomes: () => 'docker-compose',
    valued: compose,
  },
  {
    programs: 'docker podman nerdctl docker-compose podman-compose',
    verb: /^(?:exec|run)$/,
    valued: `${compose} ${container}`,
    operands: 1,
  },
  { programs: 'kubectl oc', verb: /^exec$/, behind: /^--$/ },
]

const runnersByProgram = once(() =>
  Map.groupBy(
    runners.flatMap((runner) => runner.programs.split(/\s+/).map((name) => ({ name, runner }))),
    ({ name }) => name,
  ),
)

const LONGEST_EXECUTED = 200

/**
 * Returns the commands that a command line really runs: itself, or what `sudo`, `env`, `xargs`,
 * `find -exec`, `npx`, `docker exec` and so on run. Program names have no folder.
 */
export function unwrap(argv: readonly string[], depth = 0): readonly (readonly string[])[] {
  let call = withProgramName(argv)
  for (let count = 0; count < 10; count += 1) {
    const inner = innerCall(call)
    if (inner === null) return [call, ...(depth < 2 ? executedByFind(call, depth) : [])]
    call = withProgramName(inner)
  }
  return [call]
}

function withProgramName([program = '', ...words]: readonly string[]): readonly string[] {
  if (!isKnown(program)) return [UNKNOWN, ...words]
  const name = program.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd|bat)$/i, '')
  return [name, ...words]
}

function innerCall([program = '', ...words]: readonly string[]): readonly string[] | null {
  const name = program.replace(/^(?:python|pypy)[\d.]*$/, 'python')
  for (const { runner } of runnersByProgram().get(name) ?? []) {
    const inner = commandAmong(words, runner)
    if (inner.length > 0) return runner.isFed ? [...inner, UNKNOWN] : inner
  }
  return null
}

function commandAmong(words: readonly string[], runner: Runner): readonly string[] {
  const { valued = '', verb, becomes, operands = 0, behind, unless } = runner
  if (words.some((word) => unless?.test(word))) return []
  if (behind !== undefined) {
    const at = words.findIndex((word) => behind.test(word))
    const isCalled = verb === undefined || words.slice(0, at).some((word) => verb.test(word))
    return at < 0 || !isCalled ? [] : words.slice(at + 1)
  }
  let rest = afterOptions(words, valued.split(' '))
  if (verb !== undefined) {
    const [first = '', ...others] = rest
    if (!verb.test(first)) return []
    if (becomes !== undefined) return [becomes(first), ...others]
    rest = afterOptions(others, valued.split(' '))
  }
  const first = rest.findIndex((word, index) => index >= operands && !/^\w+=/.test(word))
  return first < 0 ? [] : rest.slice(first)
}

/** The command after each such word: `find … -exec rm {} ;`. */
function executedByFind(
  [program, ...words]: readonly string[],
  depth: number,
): readonly (readonly string[])[] {
  if (program !== 'find' && program !== 'fd' && program !== 'fdfind') return []
  const found: (readonly string[])[] = []
  for (const [index, word] of words.entries()) {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word)) continue
    const rest = words.slice(index + 1, index + LONGEST_EXECUTED)
    const end = rest.findIndex((each) => each === ';' || each === '+')
    const call = (end < 0 ? rest : rest.slice(0, end)).map((each) => each.replaceAll('{}', UNKNOWN))
    const isBare = !call.some((each) => each.includes(UNKNOWN))
    found.push(...unwrap(isBare && program !== 'find' ? [...call, UNKNOWN] : call, depth + 1))
    if (found.length > 10) break
  }
  return found
}
