import { structuredPatch } from 'diff'
import type { Chance } from './random.ts'
import type { RealEdit } from './real-edits.ts'

export interface WrittenHunk {
  oldStart: number
  oldCount: number
  newStart: number
  newCount: number
  /** `null` for the right numbers; empty for none at all. */
  header: string | null
  heading: string
  lines: string[]
}

/** A diff under construction: faults change it, then it is written. */
export interface WrittenDiff {
  readonly path: string
  readonly before: string
  headers: string[]
  hunks: WrittenHunk[]
  /** The end of an envelope. */
  trailer: string[]
  fence: { open: string; close: string } | null
  /** Names the file outside the diff. */
  address: string
  intro: string
  outro: string
  lineEnd: '\n' | '\r\n'
  isOpen: boolean
}

/** The diff as git writes it, in a fence. */
export function writeDiff({ path, before, after }: RealEdit, context = 3): WrittenDiff {
  const { hunks } = structuredPatch(path, path, before, after, '', '', { context })
  return {
    path,
    before,
    headers: [`--- a/${path}`, `+++ b/${path}`],
    hunks: hunks.map((hunk) => ({
      oldStart: hunk.oldStart,
      oldCount: hunk.oldLines,
      newStart: hunk.newStart,
      newCount: hunk.newLines,
      header: null,
      heading: '',
      lines: [...hunk.lines],
    })),
    trailer: [],
    fence: { open: '```diff', close: '```' },
    address: '',
    intro: '',
    outro: '',
    lineEnd: '\n',
    isOpen: false,
  }
}

/** The diff alone, as in a patch file. */
export function diffText({ headers, hunks, trailer, lineEnd }: WrittenDiff): string {
  const body = hunks.flatMap((hunk) => [
    ...(hunk.header === '' ? [] : [headerOf(hunk)]),
    ...hunk.lines,
  ])
  return [...headers, ...body, ...trailer].map((line) => `${line}${lineEnd}`).join('')
}

function headerOf({
  oldStart,
  oldCount,
  newStart,
  newCount,
  header,
  heading,
}: WrittenHunk): string {
  const numbers = header ?? `@@ -${oldStart},${oldCount} +${newStart},${newCount} @@`
  return heading === '' ? numbers : `${numbers} ${heading}`
}

/** The whole answer. */
export function answerOf(diff: WrittenDiff): string {
  const { fence, address, intro, outro, lineEnd, isOpen } = diff
  const parts = [
    ...(intro === '' ? [] : [intro, '']),
    ...(address === '' ? [] : [address]),
    ...(fence ? [fence.open] : []),
    ...diffText(diff).split(lineEnd).slice(0, -1),
    ...(fence ? [fence.close] : []),
    ...(outro === '' ? [] : ['', outro]),
  ]
  return parts.join(lineEnd) + (isOpen ? '' : lineEnd)
}

/** The same edits as SEARCH/REPLACE blocks, with the same faults in their lines. */
export function blocksOf(diff: WrittenDiff): string {
  const side = (hunk: WrittenHunk, sign: '-' | '+') =>
    hunk.lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1))
  const body = diff.hunks.flatMap((hunk) => [
    '<<<<<<< SEARCH',
    ...side(hunk, '+'),
    '=======',
    ...side(hunk, '-'),
    '>>>>>>> REPLACE',
  ])
  const fence = diff.fence && { ...diff.fence, open: diff.fence.open.replace(/diff|patch/, '') }
  const parts = [
    ...(diff.intro === '' ? [] : [diff.intro, '']),
    diff.path,
    ...(fence ? [fence.open] : []),
    ...body,
    ...(fence ? [fence.close] : []),
    ...(diff.outro === '' ? [] : ['', diff.outro]),
  ]
  return parts.join(diff.lineEnd) + (diff.isOpen ? '' : diff.lineEnd)
}

/** Faults that SEARCH/REPLACE blocks can also have. */
export const blockFaults: readonly string[] = [
  'CRLF',
  'white space at line ends',
  'white space at all line ends',
  'more indentation',
  'less indentation',
  'spaces for tabs',
  'other spaces between words',
  'no newline at the end',
  'no fence',
  'another fence',
  'prose around',
]

export type Fault = (diff: WrittenDiff, chance: Chance) => void

const eachHunk = (diff: WrittenDiff, change: (hunk: WrittenHunk) => void) =>
  diff.hunks.forEach(change)

const eachLine = (diff: WrittenDiff, change: (line: string) => string) =>
  eachHunk(diff, (hunk) => {
    hunk.lines = hunk.lines.map((line) => (line.startsWith('\\') ? line : change(line)))
  })

/** Changes the text after the sign. */
const eachText = (diff: WrittenDiff, change: (text: string) => string) =>
  eachLine(diff, (line) => (line.slice(1).trim() === '' ? line : line[0] + change(line.slice(1))))

/** Faults that remove nothing essential: each must be repaired. They are made in this order. */
export const diffFaults: Readonly<Record<string, Fault>> = {
  'wrong line numbers': (diff, chance) =>
    eachHunk(diff, (hunk) => {
      hunk.oldStart = chance.between(1, 400)
      hunk.newStart = chance.between(1, 400)
    }),
  'wrong counts': (diff, chance) =>
    eachHunk(diff, (hunk) => {
      hunk.oldCount += chance.between(1, 5)
      hunk.newCount = Math.max(0, hunk.newCount - chance.between(1, 5))
    }),
  'no counts': (diff) =>
    eachHunk(diff, (hunk) => {
      hunk.header = `@@ -${hunk.oldStart} +${hunk.newStart} @@`
    }),
  'bare @@': (diff, chance) => {
    const header = chance.pick(['@@', '@@ ... @@', '@@ @@'])
    eachHunk(diff, (hunk) => {
      hunk.header = header
    })
  },
  'bare @@ with a heading': (diff) => {
    const lines = diff.before.split('\n')
    eachHunk(diff, (hunk) => {
      hunk.header = '@@'
      hunk.heading = lines.slice(0, hunk.oldStart - 1).findLast((line) => /^\w/.test(line)) ?? ''
    })
  },
  'no @@ before the first hunk': ({ hunks: [first] }) => {
    if (first) first.header = ''
  },
  CRLF: (diff) => {
    diff.lineEnd = '\r\n'
  },
  'white space at line ends': (diff, chance) =>
    eachLine(diff, (line) =>
      line.startsWith('+') ? line : line + ' '.repeat(chance.between(0, 3)),
    ),
  'white space at all line ends': (diff) =>
    eachLine(diff, (line) => (line.trim() === '' ? line : `${line} `)),
  'more indentation': (diff, chance) => {
    const more = ' '.repeat(chance.pick([1, 2, 4]))
    eachText(diff, (text) => more + text)
  },
  'less indentation': (diff) => {
    const texts = diff.hunks.flatMap(({ lines }) => lines.map((line) => line.slice(1)))
    const depths = texts.filter((text) => text.trim() !== '').map((text) => text.search(/\S/))
    const least = Math.min(...depths)
    eachText(diff, (text) => text.slice(least))
  },
  'spaces for tabs': (diff) =>
    eachText(diff, (text) => text.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length))),
  'other spaces between words': (diff) =>
    eachLine(diff, (line) =>
      line.startsWith('+') ? line : line.replace(/(\S) (?=[=({:])/, '$1  '),
    ),
  'a space behind each sign': (diff) =>
    eachLine(diff, (line) => (/^[+-]./.test(line) ? `${line[0]} ${line.slice(1)}` : line)),
  'context without its leading space': (diff) =>
    eachLine(diff, (line) => (line.startsWith(' ') ? line.slice(1) : line)),
  'some context without its leading space': (diff, chance) =>
    eachLine(diff, (line) => (line.startsWith(' ') && chance.happens(0.4) ? line.slice(1) : line)),
  'context without any indentation': (diff) =>
    eachLine(diff, (line) => (line.startsWith(' ') ? line.trimStart() : line)),
  'blank context without its space': (diff) =>
    eachLine(diff, (line) => (line.trim() === '' ? '' : line)),
  'no newline at the end': (diff) => {
    diff.isOpen = true
  },
  'no a/ and b/': (diff) => {
    diff.headers = [`--- ${diff.path}`, `+++ ${diff.path}`]
  },
  'a/ on one side': (diff) => {
    diff.headers = [`--- a/${diff.path}`, `+++ ${diff.path}`]
  },
  'no file headers': (diff) => {
    diff.headers = []
    diff.address = diff.path
  },
  'git headers': (diff) => {
    diff.headers = [
      `diff --git a/${diff.path} b/${diff.path}`,
      'index 3f1c2aa..9b0e1d4 100644',
      ...diff.headers,
    ]
  },
  'an envelope': (diff) => {
    diff.headers = ['*** Begin Patch', `*** Update File: ${diff.path}`]
    diff.trailer = ['*** End Patch']
  },
  'no fence': (diff) => {
    diff.fence = null
  },
  'another fence': (diff, chance) => {
    diff.fence = chance.pick([
      { open: '```', close: '```' },
      { open: '```patch', close: '```' },
      { open: '~~~diff', close: '~~~' },
      { open: '````diff', close: '````' },
    ])
  },
  'prose around': (diff) => {
    diff.intro = 'Sure! This is the change you asked for:'
    diff.outro =
      'It keeps the rest as it was.\n\n- The tests still pass.\n- Nothing else is touched.'
  },
}

/** Faults that may remove something essential: both a refusal and the intended text are right. */
export const fatalFaults: Readonly<Record<string, Fault>> = {
  'a context line dropped': (diff, chance) => {
    const { lines } = chance.pick(diff.hunks)
    const context = lines.flatMap((line, index) => (line.startsWith(' ') ? [index] : []))
    if (context.length > 0) lines.splice(chance.pick(context), 1)
  },
  'a context line that is not in the file': (diff, chance) => {
    const { lines } = chance.pick(diff.hunks)
    const context = lines.flatMap((line, index) => (line.startsWith(' ') ? [index] : []))
    const invented = ` ${' '.repeat(chance.pick([0, 2, 4]))}const invented${chance.between(1, 99)} = prepare(options)`
    const at = context.length > 0 ? chance.pick(context) : 0
    lines.splice(at, chance.between(0, 1), invented)
  },
}

/** Faults of one kind; an answer has at most one of them. */
const alternatives: readonly (readonly string[])[] = [
  ['bare @@', 'bare @@ with a heading', 'no counts', 'no @@ before the first hunk'],
  [
    'context without its leading space',
    'some context without its leading space',
    'context without any indentation',
  ],
  ['more indentation', 'less indentation', 'spaces for tabs', 'a space behind each sign'],
  ['no a/ and b/', 'a/ on one side', 'no file headers', 'git headers', 'an envelope'],
  ['no fence', 'another fence'],
  ['white space at line ends', 'white space at all line ends'],
  // Nothing would show where the diff begins.
  ['no @@ before the first hunk', 'no file headers', 'no fence'],
]

/** True when the fault may join the others. */
export function mayStack(fault: string, others: readonly string[]): boolean {
  return !alternatives.some(
    (kind) => kind.includes(fault) && others.some((other) => kind.includes(other)),
  )
}
