import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'
import type { CodeProblem } from '../../../packages/change/change.ts'
import { type Fields, isFields } from '../../../packages/text/text.ts'

/** One problem of the settings. Line and column are 1-based, and 0 outside a file. */
export interface ConfigProblem extends Pick<CodeProblem, 'line' | 'column' | 'message'> {
  /** The file, the environment variable, or the setting's key when a flag or an input gave it. */
  readonly path: string
  readonly fix: string
}

const largestFile = 64 * 1024
const mendYaml = 'Indent with spaces, write each key once, and use no tags.'

export interface ConfigFile {
  /** The file's values; keys without a value are left out, so that they keep their default. */
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly ConfigProblem[]
  /** Creates a problem at the value of these keys, or at the last key itself. */
  readonly problemAt: (
    keys: readonly PropertyKey[],
    what: 'value' | 'key',
    message: string,
    fix: string,
  ) => ConfigProblem
}

/** Reads YAML from untrusted authors: no aliases, no tags, no second document, at most 64 KB. */
export function readConfigFile(path: string, text: string): ConfigFile {
  const counter = new LineCounter()
  const at = (offset: number, message: string, fix: string): ConfigProblem => {
    const { line, col } = counter.linePos(offset)
    return { path, line: Math.max(line, 1), column: Math.max(col, 1), message, fix }
  }
  const broken = (problems: readonly ConfigProblem[]): ConfigFile => ({
    values: {},
    problems,
    problemAt: (_keys, _what, message, fix) => at(0, message, fix),
  })

  if (text.length > largestFile)
    return broken([at(0, 'is larger than 64 KB', 'Keep only the settings in it.')])
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false })
  const fault = document.errors[0] ?? document.warnings[0]
  if (fault !== undefined)
    return broken([at(fault.pos[0], `is not plain YAML: ${fault.message}`, mendYaml)])
  const refused = findRefusedNodes(document).map(({ offset, message, fix }) =>
    at(offset, message, fix),
  )
  if (refused.length > 0) return broken(refused)
  return {
    values: dropEmpty(document.toJS() ?? {}),
    problems: [],
    problemAt: (keys, what, message, fix) => at(offsetOf(document, keys, what), message, fix),
  }
}

interface RefusedNode extends Pick<ConfigProblem, 'message' | 'fix'> {
  readonly offset: number
}

function findRefusedNodes(document: Document): readonly RefusedNode[] {
  const top = document.contents
  if (top !== null && !isMap(top) && !(isScalar(top) && top.value === null))
    return [
      {
        offset: startOf(top),
        message: 'must be a list of keys and values',
        fix: 'Write one setting a line: max-tasks: 3',
      },
    ]
  const refused: RefusedNode[] = []
  visit(document, {
    Alias: (_, node) => {
      refused.push({
        offset: startOf(node),
        message: `*${node.source} is an alias`,
        fix: 'Write the value out.',
      })
    },
    Value: (_, node) => {
      if (node.tag === undefined) return
      refused.push({
        offset: startOf(node),
        message: `${node.tag.replace(/^tag:yaml\.org,2002:/, '!!')} is a tag`,
        fix: 'Write the value without it.',
      })
    },
    Pair: (_, pair) => {
      if (isScalar(pair.key) && typeof pair.key.value === 'string') return
      refused.push({
        offset: startOf(pair.key),
        message: 'a key must be a word',
        fix: 'Put it in quotes, or remove it.',
      })
    },
  })
  return refused
}

/** Drops keys without a value, at the top and in groups. */
function dropEmpty(value: Fields): Fields {
  const kept = Object.entries(value)
    .filter(([, inner]) => inner !== null)
    .map(([key, inner]) => [key, isFields(inner) ? dropEmpty(inner) : inner])
  // Built from entries, so that `__proto__` is a key like any other.
  return Object.fromEntries(kept)
}

function offsetOf(document: Document, keys: readonly PropertyKey[], what: 'value' | 'key'): number {
  let node: unknown = document.contents
  let offset = startOf(node)
  for (const [depth, key] of keys.entries()) {
    const last = depth === keys.length - 1
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key)
      if (pair === undefined) break
      offset = startOf(last && what === 'value' && pair.value !== null ? pair.value : pair.key)
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(key)]
      offset = startOf(node) || offset
    } else break
  }
  return offset
}

const startOf = (node: unknown): number => (node as Node | null | undefined)?.range?.[0] ?? 0
