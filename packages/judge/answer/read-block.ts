import { parseLeniently } from '../../source/source.ts'
import {
  addressWithin,
  asksForRemoval,
  bareAddressWithin,
  type FileLabel,
  lastNonBlank,
  rivalsAbove,
  samePath,
} from './address.ts'
import { readDiff } from './diff/read-diff.ts'
import {
  fenceLanguageOf,
  type KnownPaths,
  pathOfHeader,
  pathOfInfo,
  pathOfMention,
} from './find-path.ts'
import { readJson } from './json/read-json.ts'
import { fenceOf, findElision, isNamedTail, searchHeadOf, startsDiff } from './markers.ts'
import { type EditPart, readEdits } from './read-edits.ts'
import { type BlockPart, type BlockParts, leftOutPart, refusedPart, wholePart } from './reply.ts'
import { type AnswerBlock, scanBlocks } from './scan-blocks.ts'
import type { Lines } from './text-lines.ts'

interface BlockContext {
  /** The path of edits that name no file: that of the edits before. */
  readonly inherited: string | null
  readonly next: AnswerBlock | undefined
  readonly known: KnownPaths
  /** The paths of the answer's blocks. */
  readonly named: ReadonlySet<string | null>
}

type ReplyFormat = (block: AnswerBlock, around: BlockContext) => BlockParts | null

/** The forms that a block may have. The first one that recognizes a block reads it. */
const plain: readonly ReplyFormat[] = [editBlocks, diff, jsonAnswer, removals, example, wholeFile]
const formats: readonly ReplyFormat[] = [wrapper, ...plain]

/** Reads the blocks of an answer, and the prose between them. */
export function readAnswerBlocks(
  lines: Lines,
  known: KnownPaths,
  allowed: readonly ReplyFormat[] = formats,
) {
  const { blocks, after } = scanBlocks(lines, known)
  const parts: BlockParts[] = []
  const prose: Lines[] = []
  const named = new Set(blocks.map(({ path }) => path))
  let inherited: string | null = null
  for (const [index, block] of blocks.entries()) {
    const words = block.before.filter((_, line) => line !== block.address?.line)
    const around = { inherited, next: blocks[index + 1], known, named }
    let read: BlockParts | null = null
    for (const format of allowed) read ??= format(block, around)
    read ??= []
    inherited = read.at(-1)?.path || inherited
    parts.push(removalsIn(words, known), read)
    prose.push(words)
  }
  return { parts: [...parts, removalsIn(after, known)].flat(), prose: [...prose, after].flat() }
}

const removalsIn = (lines: Lines, known: KnownPaths): BlockParts =>
  lines.flatMap((line) => asksForRemoval(line, known) ?? [])

/** A fence around a whole answer: it starts with the address of a block, or with a block. */
function wrapper(block: AnswerBlock, { known }: BlockContext): BlockParts | null {
  const isText = /^(?:|md|markdown|text|txt|plaintext)$/.test(fenceLanguageOf(block.info))
  if (!block.fenced || !block.closed || !isText || block.path !== null) return null
  const [first = '', second = ''] = block.lines.filter((line) => line.trim() !== '')
  const isAnswer =
    fenceOf(first) !== null || (pathOfHeader(first, known) !== null && fenceOf(second) !== null)
  if (!isAnswer) return null
  const { parts } = readAnswerBlocks(block.lines, known, plain)
  const allNamed = parts.every(({ kind, path }) => kind === 'refused' || path !== '')
  return parts.length > 0 && allNamed ? parts : null
}

function editBlocks(
  block: AnswerBlock,
  { inherited, next, known }: BlockContext,
): BlockParts | null {
  if (!block.lines.some((line) => searchHeadOf(line) || isNamedTail(line))) return null
  const found = readEdits(block.lines, known)
  if (found === null) return null
  let path = block.path ?? mentioned(block, known) ?? inherited ?? ''
  const parts = found.map((part) => {
    path = part.path || path
    return withoutElision({ ...part, path })
  })
  if (block.closed || next !== undefined) return parts
  const whole = found.at(-1)?.kind === 'edits' ? parts : parts.slice(0, -1)
  return [...whole, unfinished(path, block.lines)]
}

/** A line that stands for omitted code is ordinary when the file already has it. */
function withoutElision(part: EditPart): EditPart {
  const [edit] = part.kind === 'edits' && part.path !== '' ? part.edits : []
  const added = edit?.replace.split('\n') ?? []
  const elision = added[findElision(part.path, added) - 1]
  const isNew = elision !== undefined && !edit?.search.includes(elision.trim())
  return isNew ? leftOutPart(part.path, elision) : part
}

/** A sentence that names one file is enough for edits: they must fit that file in any case. */
const mentioned = ({ before }: AnswerBlock, known: KnownPaths): string | null =>
  pathOfMention(before[lastNonBlank(before)] ?? '', known)

/** A diff written into a file would destroy it. */
function diff(block: AnswerBlock, { inherited, next, known }: BlockContext): BlockParts | null {
  const { path } = block
  const isPatchFile = path !== null && /\.(?:diff|patch)$/.test(path)
  const fed = path === null ? fedPatch(block) : null
  if (isPatchFile || !(block.isDiff || fed !== null || isDiff(block))) return null
  return readDiff(fed ?? block.lines, {
    path: path ?? mentioned(block, known) ?? inherited,
    closed: block.closed || next !== undefined,
    doubtful: block.doubtful,
  })
}

/** A patch that a command feeds to a program that the model knows: `apply_patch <<"EOF"`. */
function fedPatch({ lines }: AnswerBlock): Lines | null {
  const start = lines.findIndex((line) => /^\*\*\* Begin Patch\s*$/i.test(line))
  const end = lines.findIndex((line) => /^\*\*\* End Patch\s*$/i.test(line))
  const isFed = lines.slice(0, Math.max(0, start)).some((line) => /^apply_patch\b/.test(line))
  return isFed && end > start ? lines.slice(start, end + 1) : null
}

function isDiff({ info, lines }: AnswerBlock): boolean {
  if (/^(?:diff|patch|udiff)$/.test(fenceLanguageOf(info))) return true
  const first = lines.findIndex((line) => line.trim() !== '')
  return (
    startsDiff(lines, first) ||
    (pathOfHeader(lines[first] ?? '') !== null && startsDiff(lines, first + 1))
  )
}

/** Reads an answer that is JSON in a fence; a JSON file has a path, and stays a file. */
function jsonAnswer(block: AnswerBlock): BlockParts | null {
  const { info, lines, fenced, closed } = block
  const language = fenceLanguageOf(info)
  if (!fenced || !closed || !/^(?:|jsonc?5?|jsonl|tool_\w+)$/.test(language)) return null
  if (!/^\s*[{[]/.test(lines.find((line) => line.trim() !== '') ?? '')) return null
  const path = pathOf(block)
  const isFile = path !== null && (language === '' || jsonFile.test(path))
  return isFile ? null : readJson(parseLeniently(lines.join('\n')))
}

const jsonFile = /\.(?:json\w?|webmanifest|map|ipynb|code-workspace|\w{0,12}rc)$|(?:^|\/)[^./]*$/i

function removals(block: AnswerBlock, { known }: BlockContext): BlockParts | null {
  const lines = block.lines.filter((line) => line.trim() !== '')
  const parts = removalsIn(lines, known)
  return lines.length === 0 || parts.length < lines.length || !block.closed ? null : parts
}

function example(block: AnswerBlock): BlockParts | null {
  return block.closed && isExample(block, pathOf(block)) ? [] : null
}

function wholeFile(block: AnswerBlock, { next, known, named }: BlockContext): BlockParts {
  const { info, closed, path: outer } = block
  const inner = innerAddress(block, outer)
  const path =
    outer === null || inner === null ? (outer ?? inner?.path ?? null) : samePath(outer, inner.path)
  const isCertain = inner !== null || pathOfInfo(info, known) !== null
  const rivals = isCertain ? [] : rivalsAbove(block.before, known)
  const rival =
    outer !== null && path === null ? inner?.path : rivals.find((each) => !named.has(each))
  if (rival !== undefined) {
    return [refusedPart('', `two paths for one code block: ${outer} and ${rival}`, block.lines)]
  }
  if (!closed) return [unfinished(path, block.lines)]
  const lines = inner === null ? block.lines : block.lines.toSpliced(inner.line, 1)
  if (path === null) return [{ kind: 'nameless', path: '', isSample: isSample(block), lines }]
  if (isProse(path, info) && holdsFences(next)) {
    const reason = 'fences of one length are nested; put the whole file between ```` and ````'
    return [refusedPart(path, reason, lines)]
  }
  const second = lines.findIndex(
    (line) =>
      outer === null && /^\S/.test(line) && addressWithin([line], isProse(path, '')) !== null,
  )
  if (second > 0) {
    const reason = 'more than one file in one code block; send one block for each'
    return [refusedPart(path, reason, lines.slice(second))]
  }
  return [wholePart(path, lines)]
}

/** A bare fence right after the end of a Markdown file may belong to it: this cannot be decided. */
const holdsFences = (next: AnswerBlock | undefined): boolean =>
  next?.fenced === true && next.info === '' && pathOf(next) === null && !isExample(next, null)

const pathOf = (block: AnswerBlock): string | null =>
  block.path ?? innerAddress(block, null)?.path ?? null

const innerAddress = ({ lines, info }: AnswerBlock, outer: string | null): FileLabel | null =>
  addressWithin(lines, isProse(outer, info)) ?? bareAddressWithin(lines, outer)

const isProse = (path: string | null, info: string): boolean =>
  path === null
    ? /^(?:md|mdx|markdown|rst|text|txt)$/.test(fenceLanguageOf(info))
    : /\.(?:mdx?|markdown|rst|txt|adoc)$/i.test(path)

function unfinished(path: string | null, lines: Lines): BlockPart {
  const reason = `the answer ends in the middle of ${path || 'a code block'}; send it again`
  return refusedPart(path, reason, lines.slice(-6))
}

const shells =
  /^(?:sh|bash|shell|shell-session|shellsession|zsh|fish|console|terminal|powershell|ps1|pwsh|cmd|bat)$/
const plainText = /^(?:text|txt|plaintext|plain|output|log|http|mermaid|tree|none)$/
const shellFiles =
  /(?:^|\/)[^./]+$|(?:^|\/)\.[^/]+$|\.(?:sh|bash|zsh|fish|ps1|bat|cmd|bats|command)$/i

/** A line to type into a shell, not a line of a program. */
const commandLine =
  /^\s*(?:\$ |> |#|(?:npm|npx|node|pnpm|yarn|bun|deno|git|pip3?|pipx|python3?|pytest|uv|poetry|cargo|go|make|mvn|gradle|docker|curl|cd|mkdir|rm|mv|cp|ls|cat|export|sudo|ruby|bundle|php|composer|dotnet)(?:\s|$)|\.\/\w)/
const treeLine = /[├└│]/

/**
 * True for what an answer shows but does not mean as a file: commands to run, their output, a tree
 * of folders. A path in the info string always means a file.
 */
function isExample(block: AnswerBlock, path: string | null): boolean {
  if (!block.fenced || pathOfInfo(block.info) !== null) return false
  const language = fenceLanguageOf(block.info)
  if (shells.test(language)) return path === null || !shellFiles.test(path)
  if (path !== null) return false
  const lines = block.lines.filter((line) => line.trim() !== '')
  if (lines.length === 1 && lines[0]?.trim() === 'NOTHING_TO_DO') return true
  if (plainText.test(language)) return true
  if (language !== '') return false
  return lines.every((line) => commandLine.test(line)) || lines.some((line) => treeLine.test(line))
}

/** Words above a block that shows how to use a file, or what it returns. */
const sample =
  /\b(?:e\.?g\.?|examples?|for instance|output|prints?|run|snippets?|try|usage|uses?|call(?:s|ed|ing)?|requests?|responses?|responds?|returns?|results?|answers?|looks? like|how to|demo|verify|check)\b/i

/** True for code without a path that prose calls an example, and for data, if no file is named. */
function isSample({ before, info }: AnswerBlock): boolean {
  const above = before.filter((line) => line.trim() !== '').slice(-3)
  const isNamed = (line: string) => pathOfMention(line) !== null && asksForRemoval(line) === null
  if (above.some(isNamed)) return false
  return /^jsonc?$/.test(fenceLanguageOf(info)) || above.some((line) => sample.test(line))
}
