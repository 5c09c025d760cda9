import { isKnown, UNKNOWN } from '../finding.ts'

/** How a program that runs another one takes its own arguments before it. */
interface Wrapper {
  /** Options that take the next argument. */
  readonly valued: readonly string[]
  /** Arguments of its own, after the options. */
  readonly operands: number
}

const wrapper = (valued = '', operands = 0): Wrapper => ({
  valued: valued.split(' ').filter((option) => option !== ''),
  operands,
})

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: wrapper('-u -g -h -p -C -T -r -t -U -D -R --user --group --host --prompt --chdir'),
  doas: wrapper('-u -C'),
  env: wrapper('-u -C --unset --chdir'),
  command: wrapper(),
  builtin: wrapper(),
  exec: wrapper('-a'),
  nohup: wrapper(),
  nice: wrapper('-n --adjustment'),
  ionice: wrapper('-c -n -p --class --classdata'),
  time: wrapper('-o -f'),
  timeout: wrapper('-s -k --signal --kill-after', 1),
  stdbuf: wrapper('-i -o -e'),
  setsid: wrapper(),
  unbuffer: wrapper(),
  caffeinate: wrapper('-t -w'),
  busybox: wrapper(),
  toybox: wrapper(),
  chroot: wrapper('', 1),
  flock: wrapper('-w -E --timeout', 1),
  watch: wrapper('-n --interval -d'),
  strace: wrapper('-o -e -p -s'),
  retry: wrapper('-t -d'),
  shx: wrapper(),
  npx: wrapper('-p --package -c --call'),
  bunx: wrapper(),
  pnpx: wrapper(),
  dotenv: wrapper('-e -c -f'),
  dotenvx: wrapper('-f'),
  'cross-env': wrapper(),
  'cross-env-shell': wrapper(),
  pipx: wrapper(),
  uvx: wrapper(),
  parallel: wrapper('-j --jobs'),
}

/** Words behind `-exec` that are looked at. */
const LONGEST_EXECUTED = 200

/** Programs whose first words say that what follows is another command. */
const runners: readonly (readonly [program: string, words: RegExp, valued: string])[] = [
  ['npm', /^(?:exec|x)$/, ''],
  ['pnpm', /^(?:exec|dlx)$/, '--filter -F -C'],
  ['yarn', /^(?:exec|dlx)$/, ''],
  ['bun', /^x$/, ''],
  ['bundle', /^exec$/, ''],
  ['poetry', /^run$/, '-C'],
  ['pipenv', /^run$/, ''],
  ['pdm', /^run$/, ''],
  ['uv', /^run$/, '--with --python -p --project --directory'],
  ['rye', /^run$/, ''],
  ['hatch', /^run$/, ''],
  ['mise', /^(?:exec|x)$/, ''],
  ['asdf', /^exec$/, ''],
  ['heroku', /^run(?::detached)?$/, '-a --app'],
  ['sail', /^(?:shell|run)$/, ''],
]

/** The local tools that `yarn`, `pnpm`, `sail` and the like run by their bare name. */
const bareRunners = new Set(['yarn', 'pnpm', 'sail', 'bun'])

/**
 * The commands a command line really runs: itself, or what `sudo`, `env`, `xargs`, `find -exec`,
 * `npx`, `docker exec` and so on run. Program names come without their folder.
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

function innerCall(argv: readonly string[]): readonly string[] | null {
  const [program = '', ...words] = argv
  if (program === 'xargs') return afterXargs(words)
  if (program === 'su' || program === 'runuser') return null
  const known = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined
  if (known !== undefined) {
    if (
      (program === 'npx' || program === 'env') &&
      words.some((word) => /^(?:-c|--call|-S)$/.test(word))
    ) {
      return null
    }
    const rest = afterOptions(words, known.valued).slice(known.operands)
    const first = rest.findIndex((word) => !/^\w+=/.test(word))
    return first < 0 ? null : rest.slice(first)
  }
  for (const [name, pattern, valued] of runners) {
    if (program !== name) continue
    const rest = afterOptions(words, valued.split(' '))
    if (pattern.test(rest[0] ?? '')) return notEmpty(afterOptions(rest.slice(1), valued.split(' ')))
  }
  if (
    bareRunners.has(program) &&
    /^(?:rimraf|del-cli|shx|prisma|sequelize|sequelize-cli|knex|typeorm|artisan|cross-env|drizzle-kit|supabase)$/.test(
      words[0] ?? '',
    )
  ) {
    return words
  }
  return afterContainer(argv)
}

/** `docker exec box rm …`, `docker compose run app …`, `kubectl exec pod -- …`. */
function afterContainer([program = '', ...words]: readonly string[]): readonly string[] | null {
  if (program === 'kubectl' || program === 'oc') {
    const dashes = words.indexOf('--')
    return words.includes('exec') && dashes > 0 ? notEmpty(words.slice(dashes + 1)) : null
  }
  if (!/^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/.test(program)) return null
  const compose = afterOptions(words[0] === 'compose' ? words.slice(1) : words, composeValued)
  if (compose[0] !== 'exec' && compose[0] !== 'run') return null
  return notEmpty(afterOptions(compose.slice(1), containerValued).slice(1))
}

const composeValued = [
  '-f',
  '--file',
  '-p',
  '--project-name',
  '--env-file',
  '--profile',
  '-H',
  '--context',
]
const containerValued = (
  '-e --env --env-file -v --volume -w --workdir -u --user --name --network --net -p --publish ' +
  '--entrypoint --mount --platform -h --hostname --index -l --label -m --memory --cpus --index'
).split(' ')

function afterXargs(words: readonly string[]): readonly string[] | null {
  const rest = afterOptions(words, [
    '-n',
    '-I',
    '-P',
    '-L',
    '-d',
    '-a',
    '-s',
    '-E',
    '--max-args',
    '--max-procs',
    '--delimiter',
    '--arg-file',
  ])
  return rest.length === 0 ? null : [...rest, UNKNOWN]
}

/** `find … -exec rm {} ;`: every command behind such a word. */
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

function afterOptions(words: readonly string[], valued: readonly string[]): readonly string[] {
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ''
    if (word === '--') return words.slice(at + 1)
    if (!/^-./.test(word)) break
    at += valued.includes(word) ? 2 : 1
  }
  return words.slice(at)
}

const notEmpty = (words: readonly string[]): readonly string[] | null =>
  words.length === 0 ? null : words
