import { type Finding, shifted, UNKNOWN, within } from '../finding.ts'
import { judgeWord } from './judge-word.ts'
import { readSqlTokens, type SqlToken } from './read-tokens.ts'
import { Statement } from './statement.ts'

const MAX_DEPTH = 4

/** Statements that only refer to others. */
const referring = new Set(['GRANT', 'REVOKE', 'COMMENT', 'AUDIT', 'DENY'])

/**
 * Finds destructive SQL statements in any dialect: tables, columns, schemas and databases dropped,
 * tables emptied, rows deleted or changed without a condition. Ignores comments, and strings except
 * those that SQL itself runs: bodies of functions and of `DO`, and `EXECUTE '…'`.
 */
export function findInSql(text: string, depth = 0): readonly Finding[] {
  const findings: Finding[] = []
  let statement: SqlToken[] = []
  for (const token of readSqlTokens(withoutCopiedRows(text))) {
    const isEnd = token.text === ';' && token.kind === 'mark'
    if (!isEnd && !isBatchEnd(text, token)) {
      statement.push(token)
      continue
    }
    findings.push(...findInStatement(new Statement(statement), text, depth))
    statement = []
  }
  findings.push(...findInStatement(new Statement(statement), text, depth))
  return findings
}

/** T-SQL's `GO`, alone on its line. */
function isBatchEnd(text: string, { kind, text: word, start, end }: SqlToken): boolean {
  if (kind !== 'word' || word !== 'GO') return false
  const before = text.slice(Math.max(0, start - 20), start)
  return /(?:^|\n)[ \t]*$/.test(before) && /^[ \t\r]*(?:\n|$)/.test(text.slice(end, end + 20))
}

/** Blanks the rows after PostgreSQL's `COPY … FROM stdin;`, which are data up to `\.`. */
function withoutCopiedRows(text: string): string {
  const header = /(?:^|\n)COPY\s[^;]{1,2000}\sFROM\s+STDIN\b[^;\n]{0,300};/gi
  let kept = ''
  let at = 0
  for (let found = header.exec(text); found !== null; found = header.exec(text)) {
    const end = text.indexOf('\n\\.', header.lastIndex)
    if (end < 0) break
    kept += text.slice(at, header.lastIndex)
    kept += text.slice(header.lastIndex, end + 3).replace(/[^\n]/g, ' ')
    at = end + 3
    header.lastIndex = at
  }
  return kept + text.slice(at)
}

function findInStatement(statement: Statement, text: string, depth: number): readonly Finding[] {
  const { tokens } = statement
  if (tokens.length === 0 || referring.has(statement.word(0))) return []
  const findings: Finding[] = []
  for (const [index, { kind, start }] of tokens.entries()) {
    if (kind === 'string') findings.push(...findInString(statement, index, text, depth))
    const why = kind === 'word' ? judgeWord(statement, index) : null
    if (why === null) continue
    const end = statement.endFrom(index)
    findings.push({ category: 'database', why, meaning: text.slice(start, end), start, end })
  }
  return findings
}

function findInString(
  statement: Statement,
  index: number,
  text: string,
  depth: number,
): readonly Finding[] {
  const token = statement.tokens[index]
  if (token === undefined || depth >= MAX_DEPTH) return []
  const isBody = isFunctionBody(statement, index)
  if (!isBody && !isExecuted(statement, index)) return []
  const isContinued = /^[|+]$/.test(statement.tokens[index + 1]?.text ?? '')
  const inner = findInSql(isContinued ? token.text + UNKNOWN : token.text, depth + 1)
  if (inner.length === 0) return []
  const tag = /^\$\w*\$/.exec(text.slice(token.start, token.start + 100))?.[0]
  return isBody && tag ? shifted(inner, token.start + tag.length) : within(inner, token)
}

function isFunctionBody(statement: Statement, index: number): boolean {
  if (statement.word(0) === 'DO') return index <= 3
  const creates = statement.word(0) === 'CREATE' && statement.word(index - 1) === 'AS'
  const kinds = [1, 2, 3, 4].map((at) => statement.word(at))
  return creates && kinds.some((kind) => kind === 'FUNCTION' || kind === 'PROCEDURE')
}

/** `EXECUTE '…'`, `EXEC(N'…')`, `PREPARE name FROM '…'`. */
function isExecuted(statement: Statement, index: number): boolean {
  const before: string[] = []
  for (let at = index - 1; at >= 0 && before.length < 3; at -= 1) {
    const token = statement.tokens[at]
    if (token?.text !== '(' && token?.text !== 'N' && token?.text !== 'E')
      before.push(statement.word(at))
  }
  const [first = '', , third] = before
  if (/^(?:EXECUTE|EXEC|IMMEDIATE|SP_EXECUTESQL)$/.test(first)) return true
  return first === 'FROM' && third === 'PREPARE'
}
