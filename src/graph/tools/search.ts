import { changesOf, openTree } from '../../../packages/change/change.ts'
import { declarationLines } from '../../../packages/source/source.ts'
import { countOf, showText, tellingWords } from '../../../packages/text/text.ts'
import { attemptOf } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { GrepLine, GrepQuery } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { indexedPaths, lookUpAt } from '../../model/context/find-code.ts'
import { rankCode, soughtWords } from '../../model/context/rank-code.ts'
import { insidePath, isHidden, pathsNow, readNow } from './look.ts'
import { longestShown } from './show-result.ts'
import { readToolArguments, textArgument } from './tool-arguments.ts'
import { type ToolResult, wrongCall } from './tool-result.ts'

type Needs = Pick<Ports, 'workspace'>

const longestLine = 300

/** Shows the lines that hold a text, or that match an expression, which git runs in its own process. */
export async function grep(input: string, state: RunState, ports: Needs): Promise<ToolResult> {
  const given = readToolArguments(input, 'words')
  const expression = textArgument(given, 'expression', 'regex', 'regexp')
  const words = textArgument(given, 'words', 'query', 'pattern', 'text', 'search')
  const sought = expression === '' ? words : expression
  if (sought.trim() === '') return wrongCall('Give what to look for: {"words": "total"}.')
  const found = await grepNow(state, ports, {
    patterns: [sought],
    kind: expression === '' ? 'words' : 'expression',
    ignoresCase: false,
    under: insidePath(textArgument(given, 'path', 'folder', 'file')),
  })
  if (found.status === 'refused') return wrongCall(found.reason)
  const first = firstOf(found.lines)
  const isSeen = (text: string) => expression === '' && text.includes(words)
  const lines = await showLines(first, isSeen, state, ports)
  if (lines.length === 0) return { observation: 'Nothing is found.', summary: 'nothing' }
  const isCut = found.isCut || first.length < found.lines.length
  const files = new Set(lines.map(({ path }) => path)).size
  const shown = lines.map(({ path, line, text }) => `${path}:${line}: ${text}`).join('\n')
  const summary = `${lines.length}${isCut ? '+' : ''} in ${countOf(files, 'file')}`
  return { observation: isCut ? `${shown}\n(more were left out)` : shown, summary }
}

/** As many lines as an observation holds. */
function firstOf(lines: readonly GrepLine[]): readonly GrepLine[] {
  let left = longestShown
  return lines.filter(({ path, text }) => {
    left -= path.length + text.length + 8
    return left > 0
  })
}

/**
 * These lines as their files show them: one inside a hidden comment or a key goes, though by itself it would look like
 * any other. A line of which a part is hidden stays only if the rest `isSeen` to match: otherwise a model could guess
 * a key letter by letter.
 */
async function showLines(
  lines: readonly GrepLine[],
  isSeen: (text: string) => boolean,
  state: RunState,
  ports: Needs,
): Promise<readonly GrepLine[]> {
  const paths = [...new Set(lines.map(({ path }) => path))]
  const texts = await readNow(paths, state, ports)
  const files = new Map(
    [...texts].map(([path, text]) => {
      const shown = showText(path, text).text.split('\n')
      return [path, { raw: text.split('\n'), shown }]
    }),
  )
  return lines.flatMap((each) => {
    const { raw, shown } = files.get(each.path) ?? {}
    const before = raw?.[each.line - 1] ?? each.text
    const after = shown === undefined ? showText(each.path, before).text : shown[each.line - 1]
    const line = after ?? ''
    const isFound = line === before.replace(/^\uFEFF/, '') || isSeen(line)
    const text = line.trim().slice(0, longestLine)
    return text === '' || !isFound ? [] : [{ ...each, text }]
  })
}

async function grepNow(state: RunState, { workspace }: Needs, query: GrepQuery) {
  const { start, draft } = attemptOf(state)
  const found = await workspace.grep(start.sha, changesOf(draft), query)
  if (found.status === 'refused') return found
  return { ...found, lines: found.lines.filter(({ path }) => !isHidden(path)) }
}

const mostWords = 5
const mostFiles = 8
const mostRanked = 6
const linesOfFile = 3

/** Shows the files whose lines and paths hold most of these words, with the lines that declare them first. */
export async function search(
  input: string,
  state: RunState,
  ports: Needs & Pick<Ports, 'settings'>,
): Promise<ToolResult> {
  const given = textArgument(readToolArguments(input, 'words'), 'words', 'query', 'text', 'name')
  const words = [...new Set(tellingWords(given))].slice(0, mostWords)
  if (words.length === 0) return wrongCall('Give a few words that say what to look for.')
  const files = new Map<string, FoundFile>()
  const fileAt = (path: string): FoundFile => {
    const file = files.get(path) ?? { words: new Set(), lines: new Map() }
    files.set(path, file)
    return file
  }
  const hasWord = (text: string) => words.some((word) => text.toLowerCase().includes(word))
  for (const path of await pathsNow(state, ports)) {
    const name = path.toLowerCase()
    for (const word of words) if (name.includes(word)) fileAt(path).words.add(word)
  }
  const found = await Promise.all(words.map((word) => findWord(word, state, ports)))
  for (const [index, word] of words.entries()) {
    for (const line of found[index] ?? []) {
      const file = fileAt(line.path)
      file.words.add(word)
      file.lines = new Map([...file.lines, [line.line, line]])
    }
  }
  const ranked = await rankByIndex(given, state, ports)
  for (const [path, text] of await readNow(ranked, state, ports)) {
    const own = text.split('\n').flatMap((line, index) => {
      return hasWord(line) ? [{ path, line: index + 1, text: line.slice(0, longestLine) }] : []
    })
    if (own.length > 0) fileAt(path).lines = new Map(own.map((line) => [line.line, line]))
  }
  const rankOf = new Map(ranked.map((path, index) => [path, index]))
  const best = [...files]
    .filter(([path]) => path !== ports.settings.roadmap)
    .toSorted(
      ([a, { words: some }], [b, { words: others }]) =>
        (rankOf.get(a) ?? mostFiles) - (rankOf.get(b) ?? mostFiles) || others.size - some.size,
    )
    .slice(0, mostFiles)
    .map(([path, { lines }]) => ({ path, lines: tellingLines(path, [...lines.values()]) }))
  const shown = await showLines(
    best.flatMap(({ lines }) => lines),
    hasWord,
    state,
    ports,
  )
  const parts = best.flatMap(({ path }) => {
    const lines = shown.filter((each) => each.path === path)
    const isFound = lines.length > 0 || hasWord(path)
    return isFound ? [path, ...lines.map(({ line, text }) => `  ${line}: ${text}`)].join('\n') : []
  })
  if (parts.length === 0) return { observation: 'Nothing is found.', summary: 'nothing' }
  return { observation: parts.join('\n'), summary: countOf(parts.length, 'file') }
}

interface FoundFile {
  readonly words: Set<string>
  lines: ReadonlyMap<number, GrepLine>
}

/** Best first; none without an index. The last places are for documents and the draft, which are not in it. */
async function rankByIndex(
  words: string,
  state: RunState,
  { workspace, settings }: Needs & Pick<Ports, 'settings'>,
): Promise<readonly string[]> {
  const { sha } = attemptOf(state).start
  const { files } = await openTree(sha, workspace)
  const paths = indexedPaths(files, settings.roadmap)
  if (paths.length === 0) return []
  const sought = soughtWords(words)
  const code = await lookUpAt(workspace, sha)?.(paths, (index) => rankCode(index, sought))
  const there = new Set(await pathsNow(state, { workspace }))
  const found = (code?.files ?? []).filter(
    ({ path, words: held }) => held.length > 0 && there.has(path),
  )
  return found.slice(0, mostRanked).map(({ path }) => path)
}

async function findWord(word: string, state: RunState, ports: Needs): Promise<readonly GrepLine[]> {
  const query = { patterns: [word], kind: 'words', ignoresCase: true, under: '' } as const
  const found = await grepNow(state, ports, query)
  return found.status === 'found' ? found.lines : []
}

/** Declarations first, then in the order of the file. */
function tellingLines(path: string, found: readonly GrepLine[]): readonly GrepLine[] {
  const lines = found.toSorted((a, b) => a.line - b.line)
  const texts = lines.map(({ text }) => text)
  const declarations = declarationLines(path, texts).flatMap((index) => lines[index] ?? [])
  return [...new Set([...declarations, ...lines])].slice(0, linesOfFile)
}
