import type { Refusal } from '../../core/domain/change-set.ts'
import { plainPath } from '../gate/check-path.ts'
import { asksForRemoval } from './address.ts'
import { claimsDone } from './claims-done.ts'
import { shorten } from './excerpt.ts'
import { type KnownPaths, noPaths } from './find-path.ts'
import { findJson, parseLeniently } from './json/mend-json.ts'
import { readJson } from './json/read-json.ts'
import { nameBlocks, pathOf } from './name-blocks.ts'
import type { BlockPart } from './part.ts'
import { blockPaths, readBlock } from './read-block.ts'
import type { FileProposal, Reply } from './reply.ts'
import { scanBlocks } from './scan-blocks.ts'
import { withoutThoughts } from './without-thoughts.ts'

export type { Edit, FileProposal, Reply } from './reply.ts'

/** What is left of a call of a tool, once its file is read. */
const tag = /^\s*<[^<>]{1,200}>(?:[^<>]{1,200}<\/\w+>)?\s*$/
/** Characters of prose kept for the commit and the PR. */
const longestSummary = 2_000

/**
 * Reads a model's answer: files and edits, and what could not be read. Takes what weak models
 * really write, and where two readings are possible takes neither. Linear in the text.
 *
 * A path is taken from the fence's info string, from a comment that is the block's first line
 * (that line is the address and not part of the file), from a line before the block that does
 * nothing but name it, for edits also from the edit before; at last from `expectedPath`, when
 * one block alone has no path and nothing else in the answer is about that file. What is in `known`, the
 * tree's paths, is one also where it looks like none: `CHANGES`, `my notes.md`.
 */
export function parseReply(
  text: string,
  options: { readonly expectedPath?: string | undefined; readonly known?: KnownPaths } = {},
): Reply {
  const { known = noPaths } = options
  const answer = withoutThoughts(text)
  if (answer.trim() === '') return withoutFiles('The answer was empty.', '')
  const { parts, prose } = readBareJson(answer) ?? readAnswer(answer, known)
  const named = nameBlocks(parts, options.expectedPath ?? '')
  const proposals = joinEdits(named.filter(isProposal).map(withPlainPath))
  const refusals = named.flatMap((part) => (part.kind === 'refused' ? [part.refusal] : []))
  const summary = summarise(prose, known)
  if (proposals.length > 0 || refusals.length > 0) {
    return { proposals, refusals, claimsDone: false, summary }
  }
  return claimsDone(answer)
    ? { proposals, refusals, claimsDone: true, summary }
    : withoutFiles('The answer has no file in it.', summary)
}

interface ReadAnswer {
  readonly parts: readonly BlockPart[]
  readonly prose: readonly string[]
}

/** An answer that is JSON from end to end: what looks like a fence in it is text of a file. */
function readBareJson(answer: string): ReadAnswer | null {
  const text = answer.trim()
  const parts = /^[{[]/.test(text) ? readJson(parseLeniently(text)) : null
  return parts && { parts, prose: [] }
}

/** JSON between lines of prose, where nothing else in the answer can be used. */
function readInnerJson(answer: string, mayBeCut: boolean): ReadAnswer | null {
  const found = findJson(answer)
  const closed = found.filter((each) => each.status === 'closed')
  const parts = closed.flatMap(
    ({ start, end }) => readJson(parseLeniently(answer.slice(start, end))) ?? [],
  )
  const prose = answer.slice(0, found[0]?.start ?? 0).split('\n')
  if (parts.length > 0) return { parts, prose }
  const open = found.find((each) => each.status === 'open')
  const rest = open && mayBeCut ? answer.slice(open.start) : ''
  if (!/^[{[]\s*(?:[{[]\s*)*"[^"\n]{1,60}"\s*:/.test(rest)) return null
  const reason =
    'the answer ends in the middle of its JSON; send it again, each file in a code fence'
  const refusal = { path: '', reason, excerpt: shorten(rest.split('\n').slice(-6)) }
  return { parts: [{ kind: 'refused', refusal }], prose }
}

function readAnswer(answer: string, known: KnownPaths): ReadAnswer {
  const read = readBlocks(answer, known)
  return read.parts.some((part) => isProposal(part) || part.kind === 'nameless')
    ? read
    : (readInnerJson(answer, read.parts.length === 0) ?? read)
}

function readBlocks(answer: string, known: KnownPaths): ReadAnswer {
  const { blocks, after } = scanBlocks(answer.split(/\r?\n/), known)
  const parts: (readonly BlockPart[])[] = []
  const prose: (readonly string[])[] = []
  const named = blockPaths(blocks)
  let inherited: string | null = null
  for (const [index, block] of blocks.entries()) {
    const said = block.before.filter((_, line) => line !== block.address?.line)
    const read = readBlock(block, { inherited, next: blocks[index + 1], known, named })
    inherited = lastPath(read) ?? inherited
    parts.push(removalsIn(said, known), read)
    prose.push(said)
  }
  return { parts: [...parts, removalsIn(after, known)].flat(), prose: [...prose, after].flat() }
}

function removalsIn(prose: readonly string[], known: KnownPaths): readonly BlockPart[] {
  return prose.flatMap((line) => asksForRemoval(line, known) ?? [])
}

/** Edits that follow one another in one file are one proposal, and so are hunks. */
function joinEdits(proposals: readonly FileProposal[]): readonly FileProposal[] {
  const runs: FileProposal[][] = []
  for (const proposal of proposals) {
    const last = runs.at(-1)
    const before = last?.[0]
    const isEdit = proposal.kind === 'edits' || proposal.kind === 'hunks'
    const goesOn = isEdit && before?.kind === proposal.kind && before.path === proposal.path
    if (last && goesOn) last.push(proposal)
    else runs.push([proposal])
  }
  return runs.flatMap((run) => {
    const [first] = run
    if (first?.kind === 'edits') {
      return [{ ...first, edits: run.flatMap((part) => (part.kind === 'edits' ? part.edits : [])) }]
    }
    if (first?.kind === 'hunks') {
      return [{ ...first, hunks: run.flatMap((part) => (part.kind === 'hunks' ? part.hunks : [])) }]
    }
    return run
  })
}

/** `./a.js` is `a.js`; a path that leads astray is kept, and refused when it is applied. */
function withPlainPath(proposal: FileProposal): FileProposal {
  const path = plainPath(proposal.path)
  return proposal.kind === 'rename'
    ? { ...proposal, path, to: plainPath(proposal.to) }
    : { ...proposal, path }
}

function isProposal(part: BlockPart): part is FileProposal {
  return part.kind !== 'refused' && part.kind !== 'nameless'
}

function lastPath(parts: readonly BlockPart[]): string | null {
  const last = parts.at(-1)
  return (last && pathOf(last)) || null
}

function withoutFiles(reason: string, summary: string): Reply {
  const refusal: Refusal = { path: '', reason, excerpt: shorten(summary.split('\n')) }
  return { proposals: [], refusals: [refusal], claimsDone: false, summary }
}

function summarise(prose: readonly string[], known: KnownPaths): string {
  const lines = prose.filter((line) => asksForRemoval(line, known) === null && !tag.test(line))
  const summary = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return summary.length > longestSummary
    ? `${summary.slice(0, longestSummary).trimEnd()} …`
    : summary
}
