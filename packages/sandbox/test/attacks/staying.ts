import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Limits } from '../../watch.ts'
import { deep } from './clean-up.ts'
import { commandOf, type Language, type Move, readOutcomes } from './moves.ts'
import type { Stage } from './stage.ts'
import type { Played } from './tally.ts'

/** A process that means to outlive its run. `$mark` makes a file that tells that it began; `$stay` stays. */
const daemons: Readonly<Record<string, (line: string, token: string) => Move>> = {
  'in the background': (line) => ['run', `(${line}) >/dev/null 2>&1 &`],
  'by nohup': (line) => ['run', `nohup sh -c '${line}' >/dev/null 2>&1 &`],
  'forked twice': (line) => ['run', `( ( ${line} ) & ) >/dev/null 2>&1 &`],
  'in a session of its own': (line) => ['run', `setsid -f sh -c '${line}' >/dev/null 2>&1`],
  'in a process group of its own': (line) => ['run', `sh -mc '(${line}) &' >/dev/null 2>&1`],
  'without any file': (line) => ['run', `setsid -f sh -c '${line}' 0<&- 1>&- 2>&-`],
  'without its environment': (line) => ['run', `env -i setsid -f sh -c '${line}' >/dev/null 2>&1`],
  'as the language has it': (line) => ['daemon', `cd $FOLDER; ${line}`],
  'deaf to signals': (line) => [
    'run',
    `setsid -f sh -c 'trap "" HUP INT TERM; ${line}' >/dev/null 2>&1`,
  ],
  'under a false name': (line, token) => [
    'run',
    `cp "$(command -v sleep)" worker-${token} && env -i setsid -f sh -c '${line.replace('exec sleep', `exec ./worker-${token}`)}' >/dev/null 2>&1`,
  ],
  'in other namespaces': (line) => [
    'run',
    `env -i setsid -f unshare -U sh -c '${line}' >/dev/null 2>&1`,
  ],
  'from process to process': (_, token) => [
    'run',
    `printf '%s\\n' ': >began-${token}' 'sleep 0.01' 'env -i setsid sh hop-${token} &' >hop-${token}; env -i setsid -f sh hop-${token} >/dev/null 2>&1`,
  ],
}

/** Sleeps that nobody else sleeps. */
let lastToken = 300_000 + (process.pid % 10_000) * 1_000

/** All in one run. */
export async function playDaemons(stage: Stage, language: Language): Promise<readonly Played[]> {
  const folder = await stage.folder()
  const all = Object.entries(daemons).map(([name, start]) => {
    lastToken += 1
    const token = String(lastToken)
    const [verb, line] = start(`: >began-${token}; exec sleep ${token}`, token)
    const move = [verb, line?.replaceAll('$FOLDER', folder)] as unknown as Move
    return { name, token, move }
  })
  const began = all.map(({ token }) => `began-${token}`)
  const wait: Move = [
    'run',
    `timeout 20 sh -c 'for file in ${began.join(' ')}; do while [ ! -e $file ]; do :; done; done'`,
  ]
  const command = commandOf(language, [...all.map(({ move }) => move), wait])
  await stage.sandbox.run(stage.request(folder, { command }))
  const lines = commandLines()
  return all.map(({ name, token }) => ({
    ...{ group: 'staying', name, kind: stage.kind, language },
    isTried: existsSync(join(folder, `began-${token}`)),
    isThrough: lines.some((line) => line.includes(token)),
  }))
}

function commandLines(): readonly string[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) ? [readFileSync(`/proc/${name}/cmdline`, 'latin1')] : []
    } catch {
      return []
    }
  })
}

const megabyte = 1024 * 1024

/** What a stage for `playLimits` lets its commands use. */
export const smallLimits: Partial<Limits> = {
  ...{ memory: 400 * megabyte, processes: 100, disk: 40 * megabyte, files: 50 },
  output: 10 * megabyte,
}

/** A shell line that takes what it can. */
const greedy: Readonly<Record<string, string>> = {
  memory: `exec node -e "const held=[];setInterval(()=>held.push(Buffer.alloc(20e6,1)),1)"`,
  'memory of many processes, one of them a daemon': `hog() { exec node -e "const held=Buffer.alloc(180e6,1);setInterval(()=>held.length,1e3)"; }; hog & hog & (env -i "PATH=$PATH" setsid node -e "const held=Buffer.alloc(180e6,1);setInterval(()=>held.length,1e3)" &); sleep 50`,
  processes: 'while :; do sleep 50 & done',
  'the disk, by large files':
    'n=0; while :; do head -c 8000000 /dev/zero >f$n; n=$((n+1)); sleep 0.3; done',
  'the disk, by many files':
    'n=0; while :; do mkdir -p d$n/e; : >d$n/e/f; n=$((n+1)); sleep 0.02; done',
  'the disk, by many files at once':
    'n=0; while [ $n -lt 200 ]; do : >f$n; n=$((n+1)); done; sleep 50',
  'the disk, by folders in folders':
    'while :; do mkdir d && cd d || break; sleep 0.02; done; sleep 50',
  'the disk, deeper than a path may lead': `${deep('.')}; sleep 50`,
  'the disk, by hard links': ': >f; n=0; while :; do ln f l$n; n=$((n+1)); sleep 0.02; done',
  output: 'yes',
  'output, of errors': 'yes >&2',
  time: `trap '' TERM INT HUP; while :; do sleep 1; done`,
}

/** Each in a run of its own, all at once: they wait more than they work. */
export async function playLimits(
  stage: Stage,
  only: RegExp = /./,
  seconds = 40,
): Promise<readonly Played[]> {
  const wanted = Object.entries(greedy).filter(([name]) => only.test(name))
  const played = wanted.map(async ([name, line]): Promise<Played> => {
    const folder = await stage.folder()
    const timeoutSeconds = name === 'time' ? 5 : seconds
    const command = { shell: `echo begun; ${line}` }
    const run = await stage.sandbox.run(stage.request(folder, { command, timeoutSeconds }))
    const isEnded = name === 'time' ? run.timedOut : run.ended !== undefined
    return {
      group: 'using up',
      name,
      kind: stage.kind,
      language: 'sh',
      isTried: run.stdout.startsWith('begun'),
      isThrough: !isEnded,
    }
  })
  return [...(await Promise.all(played)), await measureFar(stage)]
}

/** What lies outside counts for nobody, however it is linked: the run ends by itself. */
async function measureFar(stage: Stage): Promise<Played> {
  const [folder, far] = [await stage.folder(), join(stage.outside, 'many')]
  await mkdir(far, { recursive: true })
  for (let number = 0; number < 100; number += 1) await writeFile(join(far, String(number)), '')
  const moves: readonly Move[] = [
    ['link', far, 'far'],
    ['folder', 'web/many'],
    ['move', 'web', 'was'],
    ['link', stage.outside, 'web'],
    ['run', 'sleep 4.5'],
  ]
  const command = commandOf('Python', moves)
  const run = await stage.sandbox.run(stage.request(folder, { command }))
  const outcomes = readOutcomes(run.stdout)
  return {
    ...{
      group: 'lent folders',
      name: 'links are not measured',
      kind: stage.kind,
      language: 'Python',
    },
    isTried: outcomes.slice(0, 4).filter((one) => one?.did).length === 4,
    isThrough: run.ended !== undefined || run.exitCode !== 0,
  }
}
