import { type RepositoryFiles, type Suite, suiteIn } from './suite.ts'

const names = ['GNUmakefile', 'makefile', 'Makefile']
const targets = ['test', 'check']

/** The last resort: a Makefile with a target of that name. */
export function detectMakeSuite(repository: RepositoryFiles): readonly Suite[] {
  const text = names.map((path) => repository.read(path)).find((found) => found !== undefined)
  const known = makeTargets(text ?? '')
  const target = targets.find((name) => known.has(name))
  if (target === undefined) return []
  const command = { argv: ['make', '--keep-going', target] }
  return [suiteIn('.', `make ${target}`, { runner: 'command', command, needs: ['make'] })]
}

/**
 * Targets that a Makefile gives something to do: a recipe, or another target to make. Names in
 * recipes, comments, `define` blocks, variables and `.PHONY` lists are none.
 */
export function makeTargets(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\\\n', ' ').split('\n')
  let isDefinition = false
  for (const [index, line] of lines.entries()) {
    if (/^\s*endef\b/.test(line)) isDefinition = false
    else if (/^\s*define\b/.test(line)) isDefinition = true
    if (isDefinition || line.startsWith('\t')) continue
    const rule = readRule(line.replace(/(?:^|\s)#.*$/, ''))
    if (rule === null) continue
    if (!rule.isFilled && !hasRecipe(lines, index)) continue
    for (const name of rule.names) if (/^[^.]/.test(name)) found.add(name)
  }
  return found
}

/** The first line after a rule that is neither empty nor a comment begins its recipe by a tab. */
function hasRecipe(lines: readonly string[], rule: number): boolean {
  let next = rule + 1
  while (next < lines.length && /^\s*(?:#.*)?$/.test(lines[next] ?? '')) next += 1
  return lines[next]?.startsWith('\t') === true
}

interface Rule {
  readonly names: readonly string[]
  /** It has prerequisites, or a recipe on its own line. */
  readonly isFilled: boolean
}

/** `test check: all | out ; echo`, `test::`; neither `A := b` nor `test: CFLAGS = -g`. */
function readRule(line: string): Rule | null {
  const colon = line.indexOf(':')
  if (colon <= 0 || /[=?+!]/.test(line.slice(0, colon))) return null
  const rest = line.slice(colon + 1).replace(/^:(?!:?=)/, '')
  if (/^:{0,2}=/.test(rest)) return null
  const [prerequisites = '', recipe] = rest.split(';', 2)
  if (/^\s*(?:(?:export|private|override)\s+)*[\w.-]+\s*(?:[?+!]|:{1,3})?=/.test(prerequisites)) {
    return null
  }
  const names = line.slice(0, colon).trim().split(/\s+/)
  return { names, isFilled: prerequisites.trim() !== '' || (recipe ?? '').trim() !== '' }
}
