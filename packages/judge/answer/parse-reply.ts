import { findJson, parseLeniently } from '../../source/source.ts'
import { plainAnswer, plainPath } from '../../text/text.ts'
import { asksForRemoval, samePath } from './address.ts'
import { type KnownPaths, noPaths } from './find-path.ts'
import { readJson } from './json/read-json.ts'
import { readAnswerBlocks } from './read-block.ts'
import {
  type BlockPart,
  type BlockParts,
  type FileProposal,
  type Reply,
  refusedPart,
  wholePart,
  withPaths,
} from './reply.ts'
import { type Lines, shorten } from './text-lines.ts'

/** What remains of a tool's call after its file is read. */
const tag = /^\s*<[^<>]{1,200}>(?:[^<>]{1,200}<\/\w+>)?\s*$/
const longestSummary = 2_000

/**
 * Reads a model's answer: files and edits, and what could not be read. Accepts what weak models
 * really write; where two readings are possible, takes neither. Linear in the text.
 *
 * A path comes from the fence's info string, from a comment that is the block's first line (which
 * is then the address and not part of the file), from a line before the block that only names it,
 * for edits also from the previous edit; finally from `expectedPath`, when only one block lacks a
 * path and nothing else in the answer is about that file. Paths of the tree (`known`) count even if
 * they do not look like paths: `CHANGES`, `my notes.md`.
 */
export function parseReply(
  text: string,
  options: {
    readonly expectedPath?: string | undefined
    readonly known?: KnownPaths
    /** Why an empty answer is empty, where that is known. */
    readonly why?: string | undefined
  } = {},
): Reply {
  const { known = noPaths, expectedPath = '' } = options
  const answer = plainAnswer(text)
  if (answer.trim() === '') {
    const { why = text.trim() === '' ? '' : 'the model wrote only its reasoning' } = options
    return withoutFiles(
      `The answer was empty${why === '' ? '' : `: ${why.replace(/\.$/, '')}`}.`,
      '',
    )
  }
  const { parts, prose } = readBareJson(answer) ?? readAnswer(answer, known)
  const named = nameBlocks(parts, expectedPath)
  const proposals = joinEdits(
    named
      .filter(isProposal)
      .filter((each) => !(each.kind === 'whole' && each.content.trim() === nothing))
      .map((proposal) => withPaths(proposal, plainPath)),
  )
  const refusals = named.flatMap((part) => {
    if (part.kind !== 'refused') return []
    const { kind, ...refusal } = part
    return [refusal]
  })
  const summary = summarise(prose, known)
  if (proposals.length > 0 || refusals.length > 0) {
    return { proposals, refusals, claimsDone: false, summary }
  }
  return claimsDone(answer)
    ? { proposals, refusals, claimsDone: true, summary }
    : withoutFiles('The answer has no file in it.', summary)
}

const done = new RegExp(
  [
    '\\balready (?:been )?(?:\\w{1,20}ly )?(?:done|implemented|completed?|in place|present|exists?|satisfied|fixed|works?|working|supported|added)\\b',
    '\\bno (?:code |further )?changes? (?:is |are )?(?:needed|required|necessary)\\b',
  ].join('|'),
  'i',
)
const doubt = /\b(?:not|\w{1,10}n't|never|if|unless|whether)\b[^\n]{0,60}\balready\b|\?$/i

const nothing = 'NOTHING_TO_DO'

/** True for the words by which an answer says that the task is done already. */
export const saysNothing = (answer: string): boolean => /\bNOTHING_TO_DO\b/.test(answer)

/** True when an answer without files says that the task is already done. A question does not. */
function claimsDone(answer: string): boolean {
  if (saysNothing(answer)) return true
  const sentences = answer.split(/(?<=[.!?])\s|\n/)
  return sentences.some((sentence) => done.test(sentence) && !doubt.test(sentence.trim()))
}

interface ReadAnswer {
  readonly parts: BlockParts
  readonly prose: Lines
}

/** Reads an answer that is JSON from end to end: a fence in it is text of a file. */
function readBareJson(answer: string): ReadAnswer | null {
  const text = answer.trim()
  const parts = /^[{[]/.test(text) ? readJson(parseLeniently(text)) : null
  return parts && { parts, prose: [] }
}

function readAnswer(answer: string, known: KnownPaths): ReadAnswer {
  const read = readAnswerBlocks(answer.split(/\r?\n/), known)
  return read.parts.some(({ kind }) => kind !== 'refused')
    ? read
    : (readInnerJson(answer, read.parts.length === 0) ?? read)
}

/** Reads JSON between lines of prose, when nothing else in the answer can be used. */
function readInnerJson(answer: string, mayBeCut: boolean): ReadAnswer | null {
  const found = findJson(answer)
  const parts = found.flatMap(({ start, end }) =>
    end === null ? [] : (readJson(parseLeniently(answer.slice(start, end))) ?? []),
  )
  const prose = answer.slice(0, found[0]?.start ?? 0).split('\n')
  if (parts.length > 0) return { parts, prose }
  const open = found.find(({ end }) => end === null)
  const rest = open && mayBeCut ? answer.slice(open.start) : ''
  if (!/^[{[]\s*(?:[{[]\s*)*"[^"\n]{1,60}"\s*:/.test(rest)) return null
  const reason =
    'the answer ends in the middle of its JSON; send it again, each file in a code fence'
  return { parts: [refusedPart('', reason, rest.split('\n').slice(-6))], prose }
}

/** Joins successive edits of one file into one proposal, and likewise hunks. */
function joinEdits(proposals: readonly FileProposal[]): readonly FileProposal[] {
  const runs: FileProposal[][] = []
  for (const next of proposals) {
    const run = runs.at(-1)
    const isEdit = next.kind === 'edits' || next.kind === 'hunks'
    if (isEdit && run?.[0]?.kind === next.kind && run[0].path === next.path) run.push(next)
    else runs.push([next])
  }
  return runs.flatMap((run) => {
    const [first] = run
    const edits = run.flatMap((each) => (each.kind === 'edits' ? each.edits : []))
    const hunks = run.flatMap((each) => (each.kind === 'hunks' ? each.hunks : []))
    if (first?.kind === 'edits') return { ...first, edits }
    return first?.kind === 'hunks' ? { ...first, hunks } : run
  })
}

const isProposal = (part: BlockPart): part is FileProposal =>
  part.kind !== 'refused' && part.kind !== 'nameless'

function withoutFiles(reason: string, summary: string): Reply {
  const refusal = { path: '', reason, excerpt: shorten(summary.split('\n')) }
  return { proposals: [], refusals: [refusal], claimsDone: false, summary }
}

function summarise(prose: Lines, known: KnownPaths): string {
  const lines = prose.filter((line) => asksForRemoval(line, known) === null && !tag.test(line))
  const summary = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return summary.length > longestSummary
    ? `${summary.slice(0, longestSummary).trimEnd()} …`
    : summary
}

/**
 * Gives blocks without a path the expected one, if that is certain: edits, which must fit the file
 * in any case; or a single block, when nothing else in the answer is about that file. Drops a
 * sample next to files.
 */
function nameBlocks(parts: BlockParts, expectedPath: string): BlockParts {
  const nameless = parts.filter(isNameless)
  const onlyEdits = nameless.every(({ kind }) => kind !== 'nameless')
  const isFree = !parts.some(({ path }) => samePath(path, expectedPath) !== null)
  const hasFiles = parts.some((part) => part.kind !== 'refused' && !isNameless(part))
  const meant = parts.filter((part) => !(hasFiles && part.kind === 'nameless' && part.isSample))
  return meant.map((part): BlockPart => {
    if (!isNameless(part)) return part
    if (expectedPath === '') return withoutPath(part)
    if (onlyEdits && part.kind !== 'nameless') return { ...part, path: expectedPath }
    return isFree && nameless.length === 1 && part.kind === 'nameless'
      ? wholePart(expectedPath, part.lines)
      : withoutPath(part)
  })
}

type Nameless = Extract<BlockPart, { readonly kind: 'nameless' | 'edits' | 'hunks' }>

const isNameless = (part: BlockPart): part is Nameless =>
  part.path === '' && (part.kind === 'nameless' || part.kind === 'edits' || part.kind === 'hunks')

function withoutPath(part: Nameless): BlockPart {
  const what = { hunks: 'a diff', edits: 'an edit', nameless: 'a code block' }[part.kind]
  const reason = `${what} without a path; put the file's path alone on the line before it`
  return refusedPart('', reason, linesOfPart(part))
}

function linesOfPart(part: Nameless): Lines {
  if (part.kind === 'nameless') return part.lines
  if (part.kind === 'edits') return part.edits[0]?.search.split('\n') ?? []
  return part.hunks.flatMap(({ lines }) => lines.map(({ raw }) => raw))
}
