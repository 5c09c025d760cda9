import { closerOf, isList, textsOf, UNKNOWN, type Value } from '../../../source/source.ts'
import { once } from '../../../text/text.ts'
import { type Finding, type FindNested, harmsOf } from '../finding.ts'
import type { CodeCall } from './code-call.ts'
import { judgeCall } from './judge-call.ts'
import {
  type CodeLanguageName,
  type CodeToken,
  codeLanguages,
  readCodeTokens,
} from './read-code-tokens.ts'

/** The most tokens to read of one call's arguments, and the most calls chained after it. */
const MOST_TOKENS = 100
const MOST_CHAINED = 40

const dots = new Set(['.', '::', '->', '?.', '\\'])

/** Finds destructive calls in a language that is read by tokens, in linear time. Never throws. */
export function findInCode(
  language: CodeLanguageName,
  text: string,
  look: FindNested,
): readonly Finding[] {
  const tokens = readCodeTokens(text, language)
  const reader = new CallReader(
    tokens,
    text,
    codeLanguages[language].isLoose,
    language !== 'php' && language !== 'perl',
  )
  const findings: Finding[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'command') {
      const place = { start: token.start, end: token.end, meaning: token.text }
      findings.push(...harmsOf(look('shell', token.text)).map((each) => ({ ...each, ...place })))
    }
    const found = reader.callAt(index)
    if (found === null) continue
    const { call, start, end } = found
    const harms = judgeCall(language, call, look)
    if (harms.length === 0) continue
    const meaning = `${text.slice(start, end)} ${call.args.flatMap(textsOf).join(' ')}`
    findings.push(...harms.map(({ category, why }) => ({ category, why, start, end, meaning })))
  }
  return findings
}

interface PlacedCall {
  readonly call: CodeCall
  readonly start: number
  readonly end: number
}

class CallReader {
  readonly #tokens: readonly CodeToken[]
  readonly #text: string
  readonly #isLoose: boolean
  readonly #isDotted: boolean
  readonly #closings = new Map<number, number>()
  readonly #constants = new Map<string, Value>()

  constructor(tokens: readonly CodeToken[], text: string, isLoose: boolean, isDotted: boolean) {
    this.#isDotted = isDotted
    this.#tokens = tokens
    this.#text = text
    this.#isLoose = isLoose
    const open: { readonly index: number; readonly close: string }[] = []
    for (const [index, { kind, text: mark }] of tokens.entries()) {
      if (kind !== 'mark') continue
      const close = closerOf[mark]
      if (close !== undefined) open.push({ index, close })
      else if (open.at(-1)?.close === mark) this.#closings.set(open.pop()?.index ?? -1, index)
    }
    this.#readConstants()
  }

  /** Reads `name = "text"`, when the name gets a value only once. */
  #readConstants(): void {
    for (const [index, { kind, text: name }] of this.#tokens.entries()) {
      const operator = this.#tokens[index + 1]?.text
      if (kind !== 'name' || (operator !== '=' && operator !== ':=' && operator !== '+=')) continue
      if (this.#constants.has(name) || operator === '+=') {
        this.#constants.set(name, undefined)
        continue
      }
      const end = this.#endOfValue(index + 2)
      const first = this.#tokens[index + 2]
      const isText = first?.kind === 'text' && end - index < 60
      const isGroup = first !== undefined && /^[[{]$/.test(first.text) && end - index < MOST_TOKENS
      this.#constants.set(name, isText || isGroup ? this.#value(index + 2, end) : undefined)
    }
  }

  /** A value ends at `;`, a comma, a closing bracket, or a new line that no operator continues. */
  #endOfValue(from: number): number {
    for (let at = from; at < this.#tokens.length && at < from + MOST_TOKENS; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined || (token.kind === 'mark' && /^[;,)\]}]$/.test(token.text))) return at
      const isContinued =
        /^[+.]$|^\.\.$/.test(token.text) || /^[+.]$|^\.\.$/.test(this.#tokens[at - 1]?.text ?? '')
      if (at > from && token.isFirst && !isContinued) return at
      at = this.#closings.get(at) ?? at
    }
    return from
  }

  callAt(index: number): PlacedCall | null {
    const token = this.#tokens[index]
    if (token?.kind !== 'name') return null
    const next = this.#tokens[index + 1]
    // A macro's mark belongs to its name; Rust's turbofish does not.
    const isCall = next?.kind === 'mark' && next.text === '('
    const isLooseCall =
      this.#isLoose &&
      !isCall &&
      next !== undefined &&
      !next.isFirst &&
      (next.kind === 'text' || next.kind === 'name' || /^[[:@]$/.test(next.text))
    const isBare = this.#isLoose && !isCall && dots.has(this.#tokens[index - 1]?.text ?? '')
    if (!isCall && !isLooseCall && !isBare) return null
    const before = this.#tokens[index - 1]
    // A declaration is no call.
    if (
      before?.kind === 'name' &&
      /^(?:def|fn|func|function|sub|class|fun|void|defp|alias|alias_method|undef|module_function)$/.test(
        before.text,
      )
    )
      return null
    const path = this.#pathTo(index)
    const close = isCall ? this.#closings.get(index + 1) : undefined
    const last = isCall
      ? (close ?? Math.min(this.#tokens.length, index + MOST_TOKENS))
      : isLooseCall
        ? this.#endOfLooseCall(index + 1)
        : index + 1
    const [from, to] = isCall ? [index + 2, last] : [index + 1, last]
    // Most calls match no rule, so their arguments are never needed.
    const args = once(() => (isBare && !isLooseCall ? [] : this.#values(from, to)))
    const chained = isCall && close !== undefined ? this.#chain(close) : { calls: [], end: last }
    const end = this.#tokens[Math.max(index, isCall ? chained.end : last - 1)]?.end ?? token.end
    const owner = path.names.at(-2)
    const call: CodeCall = {
      keys: owner
        ? [`${owner}.${token.text}`, `${owner}.*`, `?.${token.text}`]
        : [`global.${token.text}`],
      receiver: path.receiver,
      name: token.text,
      keywords: new Map(),
      chained: chained.calls,
      isTagged: false,
      held: undefined,
      get args() {
        return args()
      },
      get count() {
        return args().length
      },
    }
    return { call, start: path.start, end: Math.min(end, path.start + 2_000) }
  }

  /** Reads `a.b::c->d` back from its last name, skipping brackets and calls between. */
  #pathTo(index: number): {
    readonly names: readonly string[]
    readonly receiver: string
    readonly start: number
  } {
    const names: string[] = []
    let at = index
    for (;;) {
      names.unshift(this.#tokens[at]?.text ?? '')
      if (!dots.has(this.#tokens[at - 1]?.text ?? '') || names.length > 8) break
      const before = this.#tokens[at - 2]
      if (before?.kind !== 'name') {
        if (before?.kind === 'text' ? this.#isDotted : /^[)\]]$/.test(before?.text ?? ''))
          names.unshift('()')
        at -= 1
        break
      }
      at -= 2
    }
    const start = this.#tokens[at]?.start ?? 0
    const own = this.#tokens[index]?.start ?? 0
    const written = this.#text.slice(names[0] === '()' ? Math.max(0, start - 100) : start, own)
    const receiver = written.replace(/\s*(?:\.|::|->|\?\.|\\)\s*$/, '')
    return { names, receiver, start: names[0] === '()' ? this.#startOfChain(at) : start }
  }

  #startOfChain(index: number): number {
    for (let at = index; at >= 0 && at > index - 60; at -= 1) {
      const token = this.#tokens[at]
      if (token?.isFirst && !dots.has(token.text)) return token.start
    }
    return this.#tokens[index]?.start ?? 0
  }

  #endOfLooseCall(from: number): number {
    for (let at = from; at < this.#tokens.length && at < from + MOST_TOKENS; at += 1) {
      const token = this.#tokens[at]
      const isEnd = token?.kind === 'mark' && /^[;)}\]|]$|^&&$|^\|\|$/.test(token.text)
      const isWord =
        token?.kind === 'name' && /^(?:if|unless|do|or|and|while|rescue|then)$/.test(token.text)
      if (
        token === undefined ||
        isEnd ||
        isWord ||
        (at > from && token.isFirst && this.#tokens[at - 1]?.text !== ',')
      )
        return at
      at = this.#closings.get(at) ?? at
    }
    return Math.min(this.#tokens.length, from + MOST_TOKENS)
  }

  /** Reads `.arg("-rf").args([…])` after a call. */
  #chain(close: number): {
    readonly calls: readonly { readonly name: string; readonly args: readonly Value[] }[]
    readonly end: number
  } {
    const calls: { readonly name: string; readonly args: readonly Value[] }[] = []
    let end = close
    while (calls.length < MOST_CHAINED) {
      const at = end + (this.#tokens[end + 1]?.text === '?' ? 2 : 1)
      const name = this.#tokens[at + 1]
      if (
        !dots.has(this.#tokens[at]?.text ?? '') ||
        name?.kind !== 'name' ||
        this.#tokens[at + 2]?.text !== '('
      )
        break
      const closing = this.#closings.get(at + 2)
      if (closing === undefined) break
      const args = once(() => this.#values(at + 3, closing))
      calls.push({
        name: name.text,
        get args() {
          return args()
        },
      })
      end = closing
    }
    return { calls, end: calls.length === 0 ? close : end }
  }

  #values(from: number, to: number): readonly Value[] {
    const values: Value[] = []
    let start = from
    const end = Math.min(to, from + MOST_TOKENS)
    for (let at = from; at <= end; at += 1) {
      const token = this.#tokens[at]
      const isEnd = at === end
      if (isEnd || (token?.kind === 'mark' && token.text === ',')) {
        if (at > start) values.push(this.#value(start, at))
        start = at + 1
      } else at = Math.min(end - 1, this.#closings.get(at) ?? at)
    }
    return values
  }

  #value(from: number, to: number): Value {
    const parts: string[] = []
    let group: readonly Value[] | null = null
    let known = false
    for (let at = from; at < to; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined) break
      const close = this.#closings.get(at)
      if (close !== undefined && close < to) {
        const isList =
          /^[[{]$/.test(token.text) ||
          /^(?:of|asList|listOf|arrayOf|Array|array|List|vec!|Arg|Seq)$/.test(
            this.#tokens[at - 1]?.text ?? '',
          )
        if (isList && !group?.length) group = this.#values(at + 1, close)
        if (token.text === '(' && at === from) return this.#value(at + 1, close)
        // A call that only wraps a path is the path.
        const isPath = /^(?:of|get|File|Path|PathBuf|URL)$/.test(this.#tokens[at - 1]?.text ?? '')
        if (isPath && close === to - 1) return this.#value(at + 1, close)
        at = close
      } else if (token.kind === 'text' || token.kind === 'command') {
        parts.push(token.text)
        known = true
      } else if (token.kind === 'name') {
        const held = to - from === 1 ? this.#constants.get(token.text) : undefined
        if (isList(held)) return held
        if (/^(?:true|false|True|False|TRUE|FALSE)$/.test(token.text) && to - from <= 3)
          return /^t/i.test(token.text)
        const constant = this.#constants.get(token.text)
        parts.push(typeof constant === 'string' ? constant : UNKNOWN)
        known ||= typeof constant === 'string'
      }
    }
    if (group !== null && !known) return group
    return known ? parts.join('').replace(/\uFFFC{2,}/g, UNKNOWN) : undefined
  }
}
