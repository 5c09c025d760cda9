import type { Finding } from '../finding.ts'
import { elsewhere, isInsideRepository, manager, type Setting } from './judges.ts'

/**
 * What in a `go.mod` or `go.work` needs a person's word: another module in place of the one that is named, a folder
 * outside, a toolchain that is no release. Grammar: https://go.dev/ref/mod#go-mod-file-grammar.
 */
export function findInGoModules(text: string, { directory }: Setting): readonly Finding[] {
  const found: Finding[] = []
  let block = ''
  let at = 0
  for (const written of text.split('\n')) {
    const start = at + (written.length - written.trimStart().length)
    at += written.length + 1
    const line = written.replace(/\/\/.*$/, '').trim()
    const end = start + line.length
    if (line === ')') block = ''
    const opening = /^(\w+)\s*\($/.exec(line)
    if (opening !== null) block = opening[1] ?? ''
    const words = (block === '' ? line : `${block} ${line}`).split(/\s+/)
    const why = judge(words.map(unquoted), directory)
    if (why !== null)
      found.push({ start, end, category: 'packages', why, meaning: words.join(' ') })
  }
  return found
}

const unquoted = (word: string): string => word.replace(/^(["`])(.*)\1$/, '$2')

function judge(words: readonly string[], directory: string): string | null {
  const [verb, first = ''] = words
  if (verb === 'replace') {
    const to = words[words.indexOf('=>') + 1] ?? ''
    if (!words.includes('=>')) return null
    return /^\.{1,2}(?:\/|$)/.test(to) && isInsideRepository(to, directory) ? null : elsewhere
  }
  if (verb === 'use')
    return first === '' || first === '(' || isInsideRepository(first, directory) ? null : elsewhere
  if (verb === 'toolchain')
    return /^(?:default|go\d+(?:\.\d+)*(?:rc\d+)?)$/.test(first) ? null : manager
  return null
}
