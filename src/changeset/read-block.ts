import type { Refusal } from '../domain/change-set.ts'
import {
  type Address,
  addressAbove,
  addressWithin,
  bareAddressWithin,
  deletedPath,
  lastNonBlank,
  samePath,
} from './address.ts'
import { isExample } from './example.ts'
import { shorten } from './excerpt.ts'
import { findElision } from './find-elision.ts'
import { languageOf, pathOfInfo, pathOfMention } from './find-path.ts'
import { type ReadEdit, readEdits } from './read-edits.ts'
import type { Edit, Proposal } from './reply.ts'
import type { Block } from './scan-blocks.ts'

/** What a block, or a line of prose, comes to. */
export type Part =
  | Proposal
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** A file, or edits, without a path: `expectedPath` may supply it. */
  | {
      readonly kind: 'nameless'
      readonly lines: readonly string[]
      readonly edits: readonly Edit[]
    }

export interface Surroundings {
  /** The path that edits without one belong to: that of the edits before. */
  readonly inherited: string | null
  readonly next: Block | undefined
}

type ReplyFormat = (block: Block, around: Surroundings) => readonly Part[] | null

/** The forms a block may have. The first that knows a block reads it. */
const formats: readonly ReplyFormat[] = [editBlocks, diff, deletions, example, wholeFile]

export function readBlock(block: Block, around: Surroundings): readonly Part[] {
  for (const format of formats) {
    const parts = format(block, around)
    if (parts !== null) return parts
  }
  return []
}

function editBlocks(block: Block, { inherited, next }: Surroundings): readonly Part[] | null {
  const found = readEdits(block.lines)
  if (found === null) return null
  let path =
    pathOfInfo(block.info) ?? addressAbove(block.before)?.path ?? mentioned(block) ?? inherited
  const parts: Part[] = []
  for (const edit of found) {
    path = edit.path ?? path
    parts.push(editPart(path, edit))
  }
  if (block.closed || next !== undefined) return parts
  const whole = found.at(-1)?.status === 'read' ? parts : parts.slice(0, -1)
  return [...whole, unfinished(path, block.lines)]
}

function editPart(path: string | null, edit: ReadEdit): Part {
  if (edit.status === 'broken') return refused(path ?? '', edit.reason, edit.excerpt)
  const { search, replace } = edit.edit
  if (path === null) return { kind: 'nameless', lines: [], edits: [edit.edit] }
  const added = replace.split('\n')
  const elision = added[findElision(path, added) - 1]
  if (elision !== undefined && !search.includes(elision.trim())) return leftOut(path, elision)
  return { kind: 'edits', path, edits: [edit.edit] }
}

/** A sentence that names one file is enough for edits: they must fit that file in any case. */
function mentioned(block: Block): string | null {
  return pathOfMention(block.before[lastNonBlank(block.before)] ?? '')
}

/** A diff written into a file would destroy it. */
function diff(block: Block): readonly Part[] | null {
  const path = pathOfInfo(block.info) ?? addressAbove(block.before)?.path ?? ''
  const first = block.lines.find((line) => line.trim() !== '') ?? ''
  const isDiff =
    /^(?:diff|patch|udiff)$/.test(languageOf(block.info)) ||
    /^(?:diff --git |@@ -\d|--- (?:a\/|\/dev\/null)|\*\*\* Begin Patch)/.test(first)
  if (!isDiff || /\.(?:diff|patch)$/.test(path)) return null
  const reason = 'a diff cannot be applied here; send SEARCH/REPLACE blocks or the whole file'
  return [refused(path, reason, shorten(block.lines))]
}

function deletions(block: Block): readonly Part[] | null {
  const lines = block.lines.filter((line) => line.trim() !== '')
  const paths = lines.map(deletedPath).filter((path) => path !== null)
  if (lines.length === 0 || paths.length < lines.length || !block.closed) return null
  return paths.map((path) => ({ kind: 'delete', path }))
}

function example(block: Block): readonly Part[] | null {
  return block.closed && isExample(block, pathOf(block)) ? [] : null
}

function wholeFile(block: Block, { next }: Surroundings): readonly Part[] {
  const { info, closed } = block
  const outer = pathOfInfo(info) ?? addressAbove(block.before)?.path ?? null
  const inner = innerAddress(block, outer)
  const path =
    outer === null || inner === null ? (outer ?? inner?.path ?? null) : samePath(outer, inner.path)
  if (path === null && outer !== null) {
    return [
      refused(
        '',
        `two paths for one code block: ${outer} and ${inner?.path}`,
        shorten(block.lines),
      ),
    ]
  }
  if (!closed) return [unfinished(path, block.lines)]
  const lines = inner === null ? block.lines : block.lines.toSpliced(inner.line, 1)
  if (path === null) return [{ kind: 'nameless', lines, edits: [] }]
  return [wholePart(path, lines, isProse(path, info) && holdsFences(next), outer === null)]
}

function wholePart(
  path: string,
  lines: readonly string[],
  isTorn: boolean,
  namedWithin: boolean,
): Part {
  if (isTorn) {
    const reason = 'fences of one length are nested; put the whole file between ```` and ````'
    return refused(path, reason, shorten(lines))
  }
  const second = lines.findIndex(
    (line) => namedWithin && /^\S/.test(line) && addressWithin([line], isProse(path, '')) !== null,
  )
  if (second > 0) {
    const reason = 'more than one file in one code block; send one block for each'
    return refused(path, reason, shorten(lines.slice(second)))
  }
  return wholeProposal(path, lines)
}

/** The whole file, unless the model left parts of it out. */
export function wholeProposal(path: string, lines: readonly string[]): Part {
  const elision = lines[findElision(path, lines) - 1]
  if (elision !== undefined) return leftOut(path, elision)
  return { kind: 'whole', path, content: lines.map((line) => `${line}\n`).join('') }
}

/** A bare fence right behind a Markdown file's end may be its own: nobody can tell. */
function holdsFences(next: Block | undefined): boolean {
  return (
    next?.fenced === true && next.info === '' && pathOf(next) === null && !isExample(next, null)
  )
}

function pathOf(block: Block): string | null {
  const outer = pathOfInfo(block.info) ?? addressAbove(block.before)?.path ?? null
  return outer ?? innerAddress(block, outer)?.path ?? null
}

function innerAddress({ lines, info }: Block, outer: string | null): Address | null {
  return addressWithin(lines, isProse(outer, info)) ?? bareAddressWithin(lines, outer)
}

function isProse(path: string | null, info: string): boolean {
  return path === null
    ? /^(?:md|mdx|markdown|rst|text|txt)$/.test(languageOf(info))
    : /\.(?:mdx?|markdown|rst|txt|adoc)$/i.test(path)
}

function leftOut(path: string, line: string): Part {
  const reason = 'the answer leaves code out; send the edit as SEARCH/REPLACE, or the file in full'
  return refused(path, reason, line)
}

function unfinished(path: string | null, lines: readonly string[]): Part {
  const reason = `the answer ends in the middle of ${path ?? 'a code block'}; send it again`
  return refused(path ?? '', reason, shorten(lines.slice(-6)))
}

function refused(path: string, reason: string, excerpt: string): Part {
  return { kind: 'refused', refusal: { path, reason, excerpt } }
}
