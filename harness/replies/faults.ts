/** Answers that are wrong or not whole. The first file that is there before and after is the one that is hurt. */
import { lineChanges, linesOf } from '../line-changes.ts'
import {
  cannotSay,
  type Edit,
  editBlock,
  editsOf,
  hunksOf,
  type Shape,
  writeAnswer,
} from '../replay/write-answer.ts'
import {
  commentIn,
  fenced,
  isModified,
  languageOf,
  type Modified,
  type Wrapping,
} from './wrapping.ts'

const elided = 'https://github.com/stackblitz/bolt.new/issues/5346'
const bolt = 'https://github.com/stackblitz/bolt.new/issues/6518'
const cut = 'https://github.com/cline/cline/issues/7493'

/** A fault in the answer for one file; the others are answered as they should be. */
function hurt(
  name: string,
  seen: string | null,
  shape: Shape,
  write: (change: Modified) => string | null,
): Wrapping {
  return {
    ...{ name, seen },
    write(changes) {
      const one = changes.find((change) => isModified(change) && write(change) !== null)
      if (one === undefined || !isModified(one) || cannotSay(shape, changes) !== null) return null
      return (
        writeAnswer(
          shape,
          changes.filter((change) => change !== one),
        ) + write(one)
      )
    },
  }
}

const file = (path: string, text: string): string => `${path}\n${fenced(languageOf(path), text)}\n`

const blocks = (path: string, edits: readonly Edit[]): string =>
  file(path, edits.map((edit) => editBlock(edit)).join(''))

/** A diff of one hunk, up to its last line. */
const openDiff = (path: string, header: string, lines: readonly string[]): string =>
  `\`\`\`diff\n--- a/${path}\n+++ b/${path}\n${header}\n${lines.join('\n')}`

/** So many unchanged lines in one run are worth leaving out. */
const longRun = 12

/** The new text with its longest unchanged run replaced by a line. */
function elide({ path, before, after }: Modified, words: string): string | null {
  const line = commentIn(path, words)
  const lines = linesOf(after)
  const changes = lineChanges(after, before)
  const edges = [0, ...changes.flatMap(({ start, end }) => [start, end]), lines.length]
  const runs = edges.flatMap((start, index) =>
    index % 2 === 0 ? [{ start, end: edges[index + 1] ?? start }] : [],
  )
  const run = runs.toSorted((a, b) => b.end - b.start - (a.end - a.start))[0]
  if (line === null || run === undefined || run.end - run.start < longRun) return null
  return lines.toSpliced(run.start + 2, run.end - run.start - 4, `${line}\n`).join('')
}

const elisions: readonly (readonly [words: string, seen: string | null])[] = [
  ['... (rest of the logic is the same)', elided],
  ['rest of methods ...', null],
  ['其余代码保持不变', null],
  ['reste du code inchangé', null],
  ['... (otras funciones permanecen igual)', bolt],
  ['[original content here]', null],
  ['... (keep the existing interfaces)', 'https://github.com/stackblitz/bolt.new/issues/814'],
  ['unchanged code ...', null],
]

/** The changed lines with a few around them. */
function fragment(change: Modified): string | null {
  const lines = linesOf(change.after)
  const [first] = lineChanges(change.after, change.before)
  if (first === undefined) return null
  const text = lines.slice(Math.max(0, first.start - 4), first.end + 4).join('')
  return losesMuch(change, text) ? text : null
}

function withoutEnd(change: Modified): string | null {
  const lines = linesOf(change.after)
  const text = lines.slice(0, Math.ceil(lines.length / 1.5)).join('')
  return losesMuch(change, text) ? text : null
}

/** Lines of the file that were to stay, and do not; of a stub's few nobody but a test could tell. */
function losesMuch({ before, after }: Modified, text: string): boolean {
  const [known, kept] = [new Set(linesOf(before)), new Set(linesOf(text))]
  const lost = linesOf(after).filter(
    (line) => known.has(line) && !kept.has(line) && line.trim().length > 2,
  )
  return lost.length >= 15
}

/** A letter of the first long word is another one. */
const misspelt = (text: string): string => text.replace(/\w(\w{5,})/, 'z$1')

const changedEdit = (change: Modified): Edit | null => editsOf(change)?.[0] ?? null

/** How a whole file is sent that is none. */
const forms: Readonly<Record<string, (path: string, text: string) => string>> = {
  'path above': file,
  'path in the fence': (path, text) => fenced(`${languageOf(path)} ${path}`, text),
  'in a tag': (path, text) => `<file path="${path}">\n${text}</file>\n`,
}

type Part = readonly [
  name: string,
  seen: string | null,
  textOf: (change: Modified) => string | null,
]

const parts: readonly Part[] = [
  ...elisions.map(([words, seen]): Part => [words, seen, (change) => elide(change, words)]),
  ['only what changed', 'https://github.com/stackblitz/bolt.new/issues/1232', fragment],
  ['without its last third', 'https://github.com/stackblitz/bolt.new/issues/3732', withoutEnd],
  [
    'one comment for the file',
    null,
    ({ path }) => commentIn(path, 'No changes needed in this file')?.concat('\n') ?? null,
  ],
]

export const faults: readonly Wrapping[] = [
  ...parts.flatMap(([name, seen, textOf]) =>
    Object.entries(forms).map(([form, put]) =>
      hurt(`part: ${name}, ${form}`, seen, 'files', (change) => {
        const text = textOf(change)
        return text === null ? null : put(change.path, text)
      }),
    ),
  ),
  hurt('part: the answer ends in a file', cut, 'files', ({ path, after }) =>
    file(path, after).slice(0, -Math.ceil(after.length / 3) - 5),
  ),
  hurt('part: the answer ends in an edit', cut, 'edits', (change) => {
    const edit = changedEdit(change)
    return edit && blocks(change.path, [edit]).slice(0, -24)
  }),
  hurt('part: the answer ends in a diff', cut, 'diff', (change) => {
    const [hunk] = hunksOf(change)
    const lines = hunk?.lines ?? []
    const last = lines.findLastIndex((line) => /^[-+]/.test(line))
    return last < 1 ? null : openDiff(change.path, hunk?.header ?? '', lines.slice(0, last))
  }),
  hurt(
    'wrong: lines that are not there',
    'https://github.com/cline/cline/issues/3910',
    'edits',
    (change) => {
      const edit = changedEdit(change)
      const search = misspelt(edit?.search ?? '')
      return edit === null || search === edit.search
        ? null
        : blocks(change.path, [{ ...edit, search }])
    },
  ),
  hurt('wrong: another path', 'https://github.com/cline/cline/issues/6432', 'edits', (change) => {
    const edits = editsOf(change)
    return edits && blocks(`nowhere/${change.path}`, edits)
  }),
  hurt(
    'wrong: a line that is there twice',
    'https://docs.roocode.com/features/tools/apply-diff',
    'edits',
    ({ path, before }) => {
      const lines = linesOf(before)
      const twice = lines.find(
        (line) =>
          line.trim().length > 3 &&
          line.endsWith('\n') &&
          lines.indexOf(line) !== lines.lastIndexOf(line),
      )
      return twice === undefined
        ? null
        : blocks(path, [{ search: twice, replace: `${twice}${twice}` }])
    },
  ),
  hurt(
    'wrong: entities for signs',
    'https://github.com/RooCodeInc/Roo-Code/issues/4077',
    'edits',
    (change) => {
      const entities = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
      const edit = editsOf(change)?.find(({ search }) => /[&<]/.test(search))
      return edit === undefined
        ? null
        : blocks(change.path, [{ search: entities(edit.search), replace: entities(edit.replace) }])
    },
  ),
  hurt(
    'wrong: no dividing line',
    'https://github.com/cline/cline/issues/5863',
    'edits',
    (change) => {
      const edit = changedEdit(change)
      return edit && blocks(change.path, [edit]).replace('=======\n', '')
    },
  ),
  hurt('wrong: dots in a diff', 'https://aider.chat/docs/unified-diffs.html', 'diff', (change) => {
    const [first, second] = hunksOf(change)
    if (first === undefined || second === undefined) return null
    const lines = [...first.lines, ' ...', ...second.lines, '```', '']
    return openDiff(change.path, '@@ ... @@', lines)
  }),
  hurt(
    'wrong: a removed line that is not there',
    'https://github.com/letta-ai/letta-code/pull/2884',
    'diff',
    (change) => {
      const [hunk] = hunksOf(change)
      const lines = hunk?.lines ?? []
      const at = lines.findIndex((line) => line.startsWith('-') && misspelt(line) !== line)
      if (at < 0) return null
      const body = lines.with(at, `-${misspelt((lines[at] ?? '').slice(1))}`)
      return openDiff(change.path, hunk?.header ?? '', [...body, '```', ''])
    },
  ),
  hurt('wrong: prose in the fence', null, 'files', ({ path, after }) =>
    /\.(?:md|txt|rst)$/.test(path)
      ? null
      : file(path, `${after}\nThis keeps everything else as it was, and the tests pass.\n`),
  ),
  hurt('wrong: prose before the code', null, 'files', ({ path, after }) =>
    /\.(?:md|txt|rst)$/.test(path) ? null : file(path, `Here is the updated file:\n\n${after}`),
  ),
  hurt('wrong: the end of an edit in the file', null, 'files', ({ path, after }) =>
    file(path, `${after}>>>>>>> REPLACE\n`),
  ),
  hurt('wrong: numbered lines', null, 'files', ({ path, after }) =>
    file(
      path,
      linesOf(after)
        .map((line, index) => `${String(index + 1).padStart(5)}\t${line}`)
        .join(''),
    ),
  ),
]
