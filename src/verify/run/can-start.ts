import { notFound, notRunnable, type Sandbox } from '../../core/ports/sandbox.ts'
import type { Ports } from '../../core/ports.ts'
import { missingProgramIn } from '../../text/diagnosis/diagnose.ts'
import { isKnownTool } from '../../text/diagnosis/programs.ts'
import { withPackagePrograms } from '../detect/report-line.ts'
import type { Suite } from '../detect/suite.ts'
import { joinEnvironments, type RunInput } from './run-suites.ts'

type Place = Pick<RunInput, 'folder' | 'mounts' | 'env' | 'network' | 'signal'>

const timeoutSeconds = 30
const notStarted: readonly (number | null)[] = [notRunnable, notFound, null]

/** Looks for the first word, and where more follows runs it: a path that leads to a program is not enough. */
const look = `command -v "$1" >/dev/null || exit ${notFound}; test $# -eq 1 || exec "$@"`

/** False where no suite can start in this folder, as a program that it needs is not there: found before one runs. */
export async function canStart(
  suites: readonly Suite[],
  place: Place,
  ports: Pick<Ports, 'sandbox'>,
): Promise<boolean> {
  for (const suite of suites) {
    if ((await findNotStarting(suite, place, ports)).length === 0) return true
  }
  return suites.length === 0
}

/** The programs of a suite that do not start, and what they say. */
export async function findNotStarting(
  suite: Suite,
  place: Place,
  { sandbox }: { readonly sandbox: Pick<Sandbox, 'run'> },
): Promise<readonly { readonly name: string; readonly said: string }[]> {
  const found = []
  for (const words of programsOf(suite)) {
    const shell = withPackagePrograms(look, suite.directory)
    const { exitCode, stderr } = await sandbox.run({
      ...{ command: { argv: ['sh', '-c', shell, 'sh', ...words] }, folder: place.folder },
      ...{ directory: suite.directory, env: joinEnvironments(place.env ?? {}, suite.env) },
      ...{ network: place.network, mounts: place.mounts, signal: place.signal },
      ...{ timeoutSeconds, collect: [] },
    })
    const said = stderr.trim().split('\n').at(-1) ?? ''
    const lacks = missingProgramIn(said)
    if (lacks !== null || notStarted.includes(exitCode)) {
      found.push({ name: lacks ?? words[0] ?? '', said })
    }
  }
  return found
}

/** What it starts besides the project's own, each with its version asked for where it is known to have one. */
function programsOf(suite: Suite): readonly (readonly string[])[] {
  const line = suite.otherwise === null ? lineOf(suite.plain ?? suite) : ''
  const named = line.split('&&').flatMap((part) => {
    const [, start] = /^\s*(?:\w+=\S*\s+|npx\s+)*(?!cd\s)(\S.*?)\s*$/.exec(part) ?? []
    const module = /^(?:python3 -m|bundle exec) [\w.-]+/.exec(start ?? '')?.[0]
    const [program] = (module ?? start ?? '').split(/\s/)
    if (program === undefined || !/^[\w.@+-]+$/.test(program)) return []
    return [module ?? program]
  })
  const isVersioned = (each: string) => each.includes(' ') || isKnownTool(each)
  return [...new Set([...suite.needs, ...named])].map((each) => [
    ...each.split(' '),
    ...(isVersioned(each) ? ['--version'] : []),
  ])
}

/** As a person would type it, or as a script has it. */
function lineOf({ command, display, runner }: Suite): string {
  if ('argv' in command) return command.argv.join(' ')
  return runner === 'npm-script' || runner === 'command'
    ? command.shell.replace(/^export PATH="[^"]*"; /, '')
    : display
}
