/** Replacements of lines, in the forms of the tools that ask for them. */
import type { FileChange } from '../answer.ts'
import { type Edit, editBlock, editsOf, usualMarks } from '../replay/write-answer.ts'
import { eachChange, endsWithBreak, fenced, languageOf, type Wrapping } from './wrapping.ts'

const aider = 'https://aider.chat/docs/more/edit-formats.html'
const aiderSource = 'https://github.com/Aider-AI/aider/blob/main/aider/coders/editblock_coder.py'
const cline = 'https://github.com/cline/cline/issues/11439'
const roo = 'https://docs.roocode.com/features/tools/apply-diff'

type Marks = typeof usualMarks

/** What a fence holds ends with a line break. */
const isSayable = ({ before, after }: FileChange): boolean =>
  endsWithBreak(after) === endsWithBreak(before)

/** Whole files where there is nothing to search for. */
function written(
  name: string,
  seen: string | null,
  write: (path: string, edits: readonly Edit[], change: FileChange) => string,
): Wrapping {
  const one = (change: FileChange) => {
    if (!isSayable(change)) return null
    const edits = editsOf(change)
    return edits === null
      ? `${change.path}\n${fenced('', change.after ?? '')}\n`
      : write(change.path, edits, change)
  }
  return { name, seen, write: eachChange(one) }
}

const withMarks = (name: string, seen: string | null, marks: Marks): Wrapping =>
  written(
    name,
    seen,
    (path, edits) =>
      `${path}\n${fenced('', edits.map((edit) => editBlock(edit, marks)).join(''))}\n`,
  )

const startOf = ({ before }: FileChange, { search }: Edit): number =>
  (before ?? '').slice(0, (before ?? '').indexOf(search)).split('\n').length

const inTags = (tool: string, path: string, body: string): string =>
  `<${tool}>\n<path>${path}</path>\n<diff>\n${body}</diff>\n</${tool}>\n\n`

function asJson(
  name: string,
  seen: string | null,
  write: (path: string, edits: readonly Edit[]) => unknown,
  isFenced = true,
): Wrapping {
  return {
    name,
    seen,
    write(changes) {
      const items: unknown[] = []
      for (const change of changes) {
        const { path, after } = change
        const edits = editsOf(change)
        if (after === null || !isSayable(change)) return null
        const item = edits === null ? { path, content: after } : write(path, edits)
        items.push(...(Array.isArray(item) ? item : [item]))
      }
      const text = `${JSON.stringify(items, null, 2)}\n`
      return isFenced ? `Here are the edits:\n\n${fenced('json', text)}` : text
    },
  }
}

export const editWrappings: readonly Wrapping[] = [
  withMarks('edits: path above the fence', aider, usualMarks),
  written('edits: path in the fence', aider, (path, edits) =>
    fenced('', `${path}\n${edits.map((edit) => editBlock(edit)).join('')}`),
  ),
  written('edits: a fence with a language for each', null, (path, edits) =>
    edits.map((edit) => `${path}\n${fenced(languageOf(path), editBlock(edit))}\n`).join(''),
  ),
  written(
    'edits: no fence',
    null,
    (path, edits) => `${path}\n${edits.map((edit) => editBlock(edit)).join('')}\n`,
  ),
  withMarks('edits: five signs', null, {
    ...{ head: '<<<<< SEARCH', divider: '=====', tail: '>>>>> REPLACE' },
  }),
  withMarks('edits: nine signs', aiderSource, {
    ...{ head: '<<<<<<<<< SEARCH', divider: '=========', tail: '>>>>>>>>> REPLACE' },
  }),
  withMarks('edits: SEARCH> with an angle', aiderSource, {
    ...usualMarks,
    head: '<<<<<<< SEARCH>',
  }),
  withMarks('edits: ORIGINAL and UPDATED', 'https://aider.chat/docs/benchmarks.html', {
    ...{ head: '<<<<<<< ORIGINAL', divider: '=======', tail: '>>>>>>> UPDATED' },
  }),
  withMarks('edits: dashes and plus signs', null, {
    ...{ head: '------- SEARCH', divider: '=======', tail: '+++++++ REPLACE' },
  }),
  withMarks('edits: dashes, then angles', null, {
    ...{ head: '------- SEARCH', divider: '=======', tail: '>>>>>>> REPLACE' },
  }),
  written('edits: replace_in_file', cline, (path, edits) =>
    inTags('replace_in_file', path, edits.map((edit) => editBlock(edit)).join('')),
  ),
  written('edits: apply_diff with start lines', roo, (path, edits, change) =>
    inTags(
      'apply_diff',
      path,
      edits
        .map((edit) => {
          const head = `<<<<<<< SEARCH\n:start_line:${startOf(change, edit)}\n-------`
          return editBlock(edit, { ...usualMarks, head })
        })
        .join('\n'),
    ),
  ),
  written(
    'edits: the last block first',
    null,
    (path, edits) =>
      `${path}\n${fenced(
        '',
        edits
          .toReversed()
          .map((edit) => editBlock(edit))
          .join(''),
      )}\n`,
  ),
  asJson('JSON: path, search, replace', null, (path, edits) =>
    edits.map((edit) => ({ path, ...edit })),
  ),
  asJson('JSON: str_replace', null, (path, edits) =>
    edits.map(({ search, replace }) => ({
      ...{ command: 'str_replace', path, old_str: search, new_str: replace },
    })),
  ),
  asJson('JSON: oldText, newText', null, (path, edits) => ({
    path,
    edits: edits.map(({ search, replace }) => ({ oldText: search, newText: replace })),
  })),
  asJson(
    'JSON: file_path, old_string, no fence',
    null,
    (path, edits) =>
      edits.map(({ search, replace }) => ({
        tool: 'Edit',
        arguments: { file_path: path, old_string: search, new_string: replace },
      })),
    false,
  ),
]
