import { z } from 'zod'
import { groups } from '../packages/sandbox/test/attacks/tally.ts'
import { renewPart } from './renew-part.ts'

/** Counts that `test/report-times.ts` last saved: the tests of each file, and what each file counted. */
const countsShape = z.object({
  tests: z.record(z.string(), z.number()),
  cases: z.record(z.string(), z.record(z.string(), z.number())),
})

export type Counts = z.infer<typeof countsShape>

export const readCounts = (text: string): Counts => countsShape.parse(JSON.parse(text))

const named = /(`((?:packages\/[\w-]+\/)?test\/[\w./-]+\.test\.ts)`) \((\d[\d,]*)\)/g

/** A file's own counts, each with its name: `` `test/a.test.ts` (720 orders, 4,398 cases) ``. */
const listed =
  /(`((?:packages\/[\w-]+\/)?test\/[\w./-]+\.test\.ts)`) \((\d[\d,]* [a-z][a-z ]*(?:, \d[\d,]* [a-z][a-z ]*)*)\)/g
const one = /\d[\d,]* ([a-z][a-z ]*)/g

const figure = (number: number): string => number.toLocaleString('en')

/** The test files whose number of tests a document states: `` `test/a.test.ts` (12) ``. */
export const countedFiles = (document: string): readonly string[] => [
  ...new Set([...document.matchAll(named)].map(([, , path = '']) => path)),
]

/** The test files whose own counts a document states. */
export const listedFiles = (document: string): readonly string[] => [
  ...new Set([...document.matchAll(listed)].map(([, , path = '']) => path)),
]

/** @throws Error for a file without saved counts */
export function fillCounts(document: string, { tests, cases }: Counts): string {
  const filled = document.replaceAll(named, (_, shown: string, path: string) => {
    const count = tests[path]
    if (count === undefined) throw new Error(`${path} is not counted: npm run counts`)
    return `${shown} (${figure(count)})`
  })
  const said = filled.replaceAll(listed, (_, shown: string, path: string, list: string) => {
    const counted = list.replaceAll(one, (_one, name: string) => {
      const count = cases[path]?.[name]
      if (count === undefined) throw new Error(`${path} does not count "${name}"`)
      return `${figure(count)} ${name}`
    })
    return `${shown} (${counted})`
  })
  const parts = {
    commands: commandTable(cases['test/runs/command-table.test.ts'] ?? {}),
    attacks: attackTable(cases[attacksFile] ?? {}),
    packages: packageTable(cases['packages/judge/test/toolchains/hostile-packages.test.ts'] ?? {}),
    forgeries: forgeryTable(cases['packages/judge/test/toolchains/forging.test.ts'] ?? {}),
  }
  return Object.entries(parts).reduce((text, [name, part]) => {
    const renewed = renewPart(text, name, part)
    if (renewed === null) throw new Error(`SECURITY.md has no markers for "${name}".`)
    return renewed
  }, said)
}

/** An attempt, its result, and the test rows that show it. */
const commandRows: readonly (readonly [tries: string, happens: string, rows: readonly string[]])[] =
  [
    [
      'a command without write access (read, triage, none, unknown, another account of that name, no answer from GitHub)',
      'nothing; one polite refusal',
      ['approval by an outsider'],
    ],
    [
      'an approving review without write access, after a change of mind, or dismissed',
      'nothing',
      ['native reviews'],
    ],
    [
      'text that is not a command: quoted, in code, below other text, invisible or look-alike characters, `/approved`',
      'nothing',
      ['accidental command'],
    ],
    ['a comment edited into a command, or a command into another', 'nothing', ['edited comment']],
    ['an approval by a bot, or by the executor itself', 'nothing', ['self-approval, bot loop']],
    ["an event for another person's comment", 'nothing', ['actor spoofing']],
    [
      "approving one commit to merge another: an old approval, another proposal, an older one, another person's",
      'refused, with a command to copy',
      ['old commit'],
    ],
    [
      "moving the head between any two of the executor's steps, for each way of approving",
      'refused, or the approved commit',
      ['approve, then push'],
    ],
    ["a command on other people's pull requests and issues", 'nothing', ["on other people's"]],
    [
      'the same command again, concurrently, or after a kill between any two steps',
      'one effect, one reply',
      ['replay'],
    ],
    [
      'five events in all 120 orders, with current and with lagging lists',
      'the same result',
      ['order'],
    ],
    ['more than five runs an hour', 'a polite refusal', ['cost abuse']],
    [
      "a label that looks like the executor's, or the executor's own set by someone without write access",
      'nothing',
      ['label spoof'],
    ],
  ]

function commandTable(cases: Readonly<Record<string, number>>): string {
  const rows = commandRows.map(([tries, happens, names]) => {
    const sum = names.reduce((total, name) => total + (cases[name] ?? 0), 0)
    return `| ${tries} | ${happens} | ${figure(sum)} |`
  })
  return ['| Attempt | Result | Cases |', '|---|---|--:|', ...rows].join('\n')
}

const attacksFile = 'packages/sandbox/test/attacks/attacks.test.ts'

const kinds = ['bubblewrap', 'other-user', 'unshare', 'unsandboxed']

/** The attacks of each group that a kind of sandbox held, of those that started in it. */
function attackTable(cases: Readonly<Record<string, number>>): string {
  const of = (kind: string, group: string, what: string) => cases[`${kind}, ${group}: ${what}`] ?? 0
  const rows = Object.entries(groups).map(([group, words]) => {
    const cells = kinds.map((kind) => {
      const [going, held, own] = ['got going', 'held', 'own doing'].map((what) =>
        of(kind, group, what),
      )
      return own === 0
        ? `${figure(held ?? 0)} of ${figure(going ?? 0)}`
        : `${figure(held ?? 0)} of ${figure((going ?? 0) - (own ?? 0))}, ${figure(own ?? 0)} permitted`
    })
    return `| ${words} | ${cells.join(' | ')} |`
  })
  const all = (what: string) =>
    Object.keys(groups).reduce(
      (sum, group) => sum + kinds.reduce((total, kind) => total + of(kind, group, what), 0),
      0,
    )
  const own = all('own doing')
  return [
    `${figure(all('tried'))} attacks were tried, each in up to six languages: ${figure(all('got going'))} started, ${figure(all('held'))} were held, ${figure(own)} are permitted to a process without a sandbox, ${figure(all('got going') - all('held') - own)} got through.`,
    '',
    `| Attack | ${kinds.join(' | ')} |`,
    `|---|${kinds.map(() => '--:|').join('')}`,
    ...rows,
  ].join('\n')
}

const installers: Readonly<Record<string, string>> = { python3: 'pip', mvn: 'Maven' }

/** Packages that a change takes from elsewhere: 1 where the installer runs none of their code, 2 where it would. */
function packageTable(cases: Readonly<Record<string, number>>): string {
  const rows = Object.entries(cases).map(([name, runs]) => {
    const [program, shape] = splitName(name)
    const then = runs === 2 ? 'runs its code' : 'runs none of its code'
    return `| ${installers[program] ?? program} | ${shape} | waits for a person | ${then} |`
  })
  return [
    '| Installer | What the change adds | Without approval | With approval, the installer |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/** Endings of a forged verdict, as its test names them, and as a heading says them. */
const endings: Readonly<Record<string, string>> = {
  'refused before it is written': 'refused before it is written',
  'the report': "failed by the tests' report",
  'our failing test': "failed by the executor's own test",
  'a warning': 'unverified, with a warning',
  'a warning, without proof': 'passed as not proven, with a warning',
}

/** How many forged verdicts of each runner ended how. */
function forgeryTable(cases: Readonly<Record<string, number>>): string {
  const counted = Object.entries(cases).map(([name, times]) => [...splitName(name), times] as const)
  const sumOf = (of: typeof counted) => of.reduce((sum, [, , times]) => sum + times, 0)
  const rows = [...Map.groupBy(counted, ([runner]) => runner)].map(([runner, own]) => {
    const cells = Object.keys(endings).map((ending) => sumOf(own.filter(([, is]) => is === ending)))
    return `| ${runner} | ${figure(sumOf(own))} | ${cells.map(figure).join(' | ')} |`
  })
  return [
    `${figure(sumOf(counted))} forged verdicts were tried; each got going, and each was held.`,
    '',
    `| Runner | Held | ${Object.values(endings).join(' | ')} |`,
    `|---|--:|${Object.keys(endings)
      .map(() => '--:|')
      .join('')}`,
    ...rows,
  ].join('\n')
}

/** `npm: an archive` → `npm`, `an archive`. */
function splitName(name: string): readonly [string, string] {
  const at = name.lastIndexOf(': ')
  return [name.slice(0, at), name.slice(at + 2)]
}
