/** Notes on text and boxes of a roadmap that no task has, and on tasks that the roadmap itself leaves out. */
import type { RoadmapProblem } from '../../task/task.ts'
import { nameSome } from '../../text/text.ts'
import type { LooseLines, Section } from './find-tasks.ts'
import type { NamedTask } from './identify-tasks.ts'
import { type Block, placedBlocks, type Source } from './read-blocks.ts'

export function unreadText({ line, endLine, isCriteria }: LooseLines): RoadmapProblem {
  const isOne = line === endLine
  const lines = isOne ? `Line ${line}` : `Lines ${line} to ${endLine}`
  return {
    rule: 'unread-text',
    severity: 'note',
    line,
    column: 1,
    message: isCriteria
      ? `${lines} ${isOne ? 'states' : 'state'} success criteria; check boxes there are not tasks.`
      : `${lines} ${isOne ? 'belongs' : 'belong'} to no task, so no model sees this text.`,
    fix: isCriteria
      ? 'Put work to do under its own heading.'
      : 'Indent it under the task that it is about, or turn it into a task.',
  }
}

/** A note on the text of a section that is too long to be shown with each of its tasks. */
export function cutIntro({ intro }: Pick<Section, 'intro'>): readonly RoadmapProblem[] {
  if (!intro?.isCut) return []
  const { line, endLine, text } = intro
  const shown = `${text.length.toLocaleString('en')} characters`
  const message = `Of lines ${line} to ${endLine}, a model sees only the first ${shown}, as whole paragraphs, with each task below them.`
  const fix = 'Put the parts that a task needs below its own box, or into a file that it names.'
  return [{ rule: 'unread-text', severity: 'note', line, column: 1, message, fix }]
}

const mostNamed = 10

/** One note for each heading, label or remark that leaves tasks out. */
export function leftOutTasks(tasks: readonly NamedTask[]): readonly RoadmapProblem[] {
  const out = tasks.flatMap(({ id, found: { leftOut } }) => (leftOut ? [{ id, ...leftOut }] : []))
  return [...Map.groupBy(out, ({ line }) => line)].map(([line, group]) => {
    const [{ words = '', status = 'cancelled' } = {}] = group
    const ids = nameSome(
      group.map(({ id }) => id),
      mostNamed,
    )
    return {
      rule: 'left-out-task',
      severity: 'note',
      line,
      column: 1,
      message: `Line ${line}, ${JSON.stringify(words.slice(0, 80))}, leaves out ${ids}: ${status}, so no run works on it.`,
      fix: 'To have it done, move it under another heading, or remove the strike-through or the remark.',
    }
  })
}

/**
 * Near-boxes: what a person would read as a check box although it is no task, in a quote, in code, in HTML, a table or a
 * heading, or with a mistake. Why it is none, and what to write instead. Containers come first: each gets one note.
 */
const sorts = {
  blockquote: ['in a block quote', 'remove the > before it'],
  code: ['in code', 'take it out of the fence, or indent it by less than four spaces'],
  html: ['in HTML', 'write - [ ] and the words, with an empty line between the tag and the list'],
  footnoteDefinition: ['in a footnote', 'move it out of the footnote'],
  table: ['in a table', 'write - [ ] and the words, or give the table a column "Status"'],
  heading: ['in a heading', 'write - [ ] and the words below the heading'],
  text: ['outside a list', 'write - [ ] and the words, with an empty line before the list'],
  listItem: [
    'with a mistake',
    'write - [ ] and a space before the words; [x] is done, [~] in progress, [-] cancelled, [!] blocked',
  ],
  empty: ['without words', 'write what to do after it, on the same line'],
  details: ['among success criteria or details', 'put it under a heading of its own'],
} as const satisfies Readonly<Record<string, readonly [where: string, fix: string]>>

type Sort = keyof typeof sorts

const containers: ReadonlySet<string> = new Set<Sort>([
  'blockquote',
  'code',
  'html',
  'footnoteDefinition',
])

const bullet = String.raw`(?:[-*+•◦▪‣·–—]|\d{1,9}[.)]|\(?[a-z\d]\))`
/** Nothing, or a mark that everyone reads as a tick. */
const usual = String.raw`[ \t]*(?:[xX~/!✓✔✅☑×хХ-]\uFE0F?)?[ \t]*`
/** Any sign that may be a mark; letters, numbers, footnotes and quoted words are none. */
const any = String.raw`[ \t]*(?:[xXхХ]|[vVoO](?=[ \t]*\][ \t])|(?![\^…"'()[\]])[\p{P}\p{S}]{1,2}\uFE0F?)?[ \t]*`
const element = String.raw`<input\b[^>]*\btype=["']?checkbox\b[^>]*>|&#(?:974[456]|x261[012]);`
const boxOf = (mark: string) =>
  String.raw`(?:\\?[[［【]${mark}\\?[\]］】]|\((?: |[xX])\)|[☐☑☒□▢◻◽🔲]\uFE0F?|${element})`
/** Words behind a box. Those of a link, a reference or a definition belong to brackets that are no box. */
const words = String.raw`(?!\(|:[ \t]|\[[^\]]*\](?!\())[*_]{0,3}[ \t]*(?<words>.*)$`

const form = (pattern: string) => new RegExp(pattern, 'u')
const item = form(`^[*_]{0,3}${boxOf(any)}${words}`)
const spaced = form(String.raw`^(?:${bullet}[ \t]*)?[*_]{0,3}${boxOf(usual)}[*_]{0,3}[ \t]${words}`)
const glued = form(`^${bullet}[*_]{0,3}${boxOf(any)}${words}`)
const shown = form(String.raw`^${bullet}[ \t]*${boxOf(usual)}[ \t]${words}`)
const cell = form(String.raw`\|[ \t]*(?:[-*+][ \t]+)?(?!\[\])${boxOf(usual)}(?=[ \t|])`)
const tag = form(`${element}|(?:^|>)[ \\t]*(?:${bullet}[ \\t]*)?${boxOf(usual)}[ \\t]`)
const last = /\s\[[ xX]?\]\s*$/
/** Only the start of a longer line is read. */
const mostCharacters = 1_000

/** A cheap test. */
const mayBeBox = /[[［【☐☑☒□▢◻◽🔲]|\([ xX]\)|checkbox|&#/u
const proper = /^\[[ \txX~/!-]\][ \t]/

/** The forms that a line of each kind is compared with. */
function sortOf(raw: string, kind: Sort): Sort | null {
  const start = raw.slice(0, mostCharacters)
  const text = start
    .replace(kind === 'heading' ? /^[\s#]+/ : /^[\s>]+/, '')
    .replace(/<!--.*?-->/g, '')
  const isLast = last.test(raw.slice(-12))
  const has = (...forms: readonly RegExp[]) =>
    forms.some((each) => (each.exec(text)?.groups?.words ?? '').trim() !== '')
  if (kind === 'listItem') {
    const found = item.exec(text)?.groups
    if (found === undefined) return isLast ? kind : null
    if (found.words?.trim() === '') return 'empty'
    return proper.test(text) ? 'details' : kind
  }
  if (kind === 'text') {
    if (has(glued)) return 'listItem'
    return has(spaced) ? kind : null
  }
  if (kind === 'html') return tag.test(text) ? kind : null
  if (kind === 'table') return cell.test(text) ? kind : null
  if (kind === 'heading') return has(spaced) || isLast ? kind : null
  return has(kind === 'code' ? shown : spaced, shown) ? kind : null
}

/**
 * The notes on check boxes that are no tasks, in the order of the document.
 *
 * @param read the lines of all boxes that were read, 1-based
 * @param named lines of which another note says that their boxes are no tasks
 */
export function findNearBoxes(
  source: Source,
  read: ReadonlySet<number>,
  named: readonly LooseLines[],
): readonly RoadmapProblem[] {
  const found: {
    readonly sort: Sort
    readonly of: Block
    readonly by: number
    readonly lines: number[]
  }[] = []
  const isTold = (line: number) =>
    read.has(line) || named.some((each) => each.line <= line && line <= each.endLine)
  for (const { block, by } of placedBlocks(source)) {
    visitLeaves(block, null, (kind, leaf, of) => {
      if (kind === 'html' && isComment(source.lines.slice(leaf.line + by - 1, leaf.endLine + by)))
        return
      for (let at = leaf.line; at <= leaf.endLine; at += 1) {
        const line = (source.lines[at + by - 1] ?? '').slice(at === leaf.line ? leaf.column - 1 : 0)
        if (!mayBeBox.test(line)) continue
        const sort = sortOf(line, kind === 'listItem' && at > leaf.line ? 'text' : kind)
        if (sort === null || isTold(at + by)) continue
        const above = found.at(-1)
        const isOne =
          above?.of === of &&
          above.by === by &&
          above.sort === sort &&
          (containers.has(sort) || sort === 'table')
        if (isOne) above.lines.push(at + by)
        else found.push({ sort, of, by, lines: [at + by] })
      }
    })
  }
  return found.map(({ sort, lines }) => toProblem(sort, lines, source.lines))
}

/** A comment is hidden on purpose; one that nothing closes hides the rest of the document. */
const isComment = (lines: readonly string[]): boolean =>
  /^\s*<!--/.test(lines[0] ?? '') && lines.some((line) => line.includes('-->'))

/** Calls for each block without blocks in it, by the kind that decides about its boxes. */
function visitLeaves(
  block: Block,
  parent: { readonly kind: string; readonly isHead: boolean; readonly of: Block } | null,
  tell: (kind: Sort, leaf: Block, of: Block) => void,
): void {
  const { kind, children } = block
  const outer = parent !== null && containers.has(parent.kind) ? parent : null
  if (children.length > 0) {
    for (const [index, child] of children.entries()) {
      const isHead = kind === 'listItem' && index === 0
      visitLeaves(child, outer ?? { kind, isHead, of: block }, tell)
    }
    return
  }
  const own = kind === 'paragraph' ? (parent?.isHead ? 'listItem' : 'text') : kind
  const sort = outer?.kind ?? own
  if (sort in sorts) tell(sort as Sort, block, outer?.of ?? block)
}

function toProblem(sort: Sort, lines: readonly number[], text: readonly string[]): RoadmapProblem {
  const [line = 1] = lines
  const [where, fix] = sorts[sort]
  const endLine = lines.at(-1) ?? line
  const isOne = lines.length === 1
  const place = line === endLine ? `Line ${line} has` : `Lines ${line} to ${endLine} have`
  const boxes = isOne ? 'a check box' : `${lines.length} check boxes`
  return {
    rule: 'unread-box',
    severity: 'note',
    line,
    column: 1 + ((text[line - 1] ?? '').search(/\S/) || 0),
    message: `${place} ${boxes} ${where}, which ${isOne ? 'is no task' : 'are no tasks'}.`,
    fix: `To make ${isOne ? 'a task of it' : 'tasks of them'}, ${fix}.`,
  }
}
