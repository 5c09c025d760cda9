import { z } from 'zod'
import { groups } from '../test/adapters/process-sandbox/attacks/tally.ts'
import { renewPart } from './renew-part.ts'

/** What test files came to when they were last kept (`test/report-times.ts`): how many tests, and what they counted. */
const countsShape = z.object({
  tests: z.record(z.string(), z.number()),
  cases: z.record(z.string(), z.record(z.string(), z.number())),
})

export type Counts = z.infer<typeof countsShape>

export const readCounts = (text: string): Counts => countsShape.parse(JSON.parse(text))

const named = /(`(test\/[\w./-]+\.test\.ts)`) \((\d[\d,]*)\)/g

/** What a test file counted: `` `test/a.test.ts` (720 orders, 4,398 cases) ``, each word of them a name of its own. */
const listed =
  /(`(test\/[\w./-]+\.test\.ts)`) \((\d[\d,]* [a-z][a-z ]*(?:, \d[\d,]* [a-z][a-z ]*)*)\)/g
const one = /\d[\d,]* ([a-z][a-z ]*)/g

const figure = (number: number): string => number.toLocaleString('en')

/** The test files whose number of tests a document says: `` `test/a.test.ts` (12) ``. */
export const countedFiles = (document: string): readonly string[] => [
  ...new Set([...document.matchAll(named)].map(([, , path = '']) => path)),
]

/** The same of files that say what they counted. */
export const listedFiles = (document: string): readonly string[] => [
  ...new Set([...document.matchAll(listed)].map(([, , path = '']) => path)),
]

/** @throws Error for a file whose tests, or what they count, were never counted */
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
  }
  return Object.entries(parts).reduce((text, [name, part]) => {
    const renewed = renewPart(text, name, part)
    if (renewed === null) throw new Error(`SECURITY.md has no markers for "${name}".`)
    return renewed
  }, said)
}

/** What somebody tries, what happens, and the rows of the tests that show it. */
const commandRows: readonly (readonly [tries: string, happens: string, rows: readonly string[]])[] =
  [
    [
      'to command without write access (read, triage, none, unknown, another account of that name, no answer from GitHub)',
      'nothing; one polite refusal',
      ['approval by an outsider'],
    ],
    [
      'to approve in a review without write access, after a change of mind, or in one that was dismissed',
      'nothing',
      ['native reviews'],
    ],
    [
      'words that are no command: quoted, in code, below other words, invisible or look-alike characters, `/approved`',
      'nothing',
      ['accidental command'],
    ],
    ['to edit a comment into a command, or a command into another', 'nothing', ['edited comment']],
    ['to let a bot approve, or the bot itself', 'nothing', ['self-approval, bot loop']],
    ["to send an event for somebody else's comment", 'nothing', ['actor spoofing']],
    [
      "to approve one commit and have another merged: an old approval, another proposal, an older one, somebody else's",
      'refused, with a command to copy',
      ['old commit'],
    ],
    [
      'to move the head between any two steps of ours, for each way of approving',
      'refused, or the approved commit',
      ['approve, then push'],
    ],
    [
      "to command on what is not the bot's: other people's pull requests and issues",
      'nothing',
      ['on what is not ours'],
    ],
    [
      'the same command again, at the same time, or after a kill between any two steps',
      'one effect, one reply',
      ['replay'],
    ],
    [
      'five events in all 120 orders, with lists that are up to date and lists that lag behind',
      'the same end',
      ['order'],
    ],
    ['more than five runs an hour', 'a polite refusal', ['cost abuse']],
    [
      'a label that looks like ours, or ours put on by somebody who may not write',
      'nothing',
      ['label spoof'],
    ],
  ]

function commandTable(cases: Readonly<Record<string, number>>): string {
  const rows = commandRows.map(([tries, happens, names]) => {
    const sum = names.reduce((total, name) => total + (cases[name] ?? 0), 0)
    return `| ${tries} | ${happens} | ${figure(sum)} |`
  })
  return ['| what somebody tries | what happens | cases |', '|---|---|--:|', ...rows].join('\n')
}

const attacksFile = 'test/adapters/process-sandbox/attacks/attacks.test.ts'

const kinds = ['bubblewrap', 'other-user', 'unshare', 'unsandboxed']

/** How many attacks of each group a kind of sandbox held, of those that got going in it. */
function attackTable(cases: Readonly<Record<string, number>>): string {
  const of = (kind: string, group: string, what: string) => cases[`${kind}, ${group}: ${what}`] ?? 0
  const rows = Object.entries(groups).map(([group, words]) => {
    const cells = kinds.map((kind) => {
      const [going, held, own] = ['got going', 'held', 'own doing'].map((what) =>
        of(kind, group, what),
      )
      return own === 0
        ? `${figure(held ?? 0)} of ${figure(going ?? 0)}`
        : `${figure(held ?? 0)} of ${figure((going ?? 0) - (own ?? 0))}, ${figure(own ?? 0)} of its own`
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
    `${figure(all('tried'))} attacks were tried, each in up to six languages: ${figure(all('got going'))} got going, ${figure(all('held'))} were held, ${figure(own)} are what a process without a sandbox may do by itself, ${figure(all('got going') - all('held') - own)} got through.`,
    '',
    `| what is tried | ${kinds.join(' | ')} |`,
    `|---|${kinds.map(() => '--:|').join('')}`,
    ...rows,
  ].join('\n')
}
