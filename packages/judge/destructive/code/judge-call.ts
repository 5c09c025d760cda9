import type { FindNested, Harm } from '../finding.ts'
import { harmless } from '../shell/call.ts'
import type { CodeCall } from './code-call.ts'
import type { CodeLanguageName } from './read-code-tokens.ts'
import { type CodeRule, everyLanguage, everyOther } from './rules/code-rule.ts'
import { otherRules } from './rules/other-rules.ts'
import { pythonRules } from './rules/python-rules.ts'
import { scriptRules } from './rules/script-rules.ts'

type Index = ReadonlyMap<string, readonly CodeRule[]>

const indexes = new Map<string, Index>([
  ['javascript', indexed([...scriptRules, ...everyLanguage])],
  ['python', indexed([...pythonRules, ...everyLanguage])],
  ...Object.entries(otherRules).map(
    ([name, rows]) => [name, indexed([...rows, ...everyLanguage, ...everyOther])] as const,
  ),
])

/** Indexes rules by name; those for any receiver start with a dot. */
function indexed(rows: readonly CodeRule[]): Index {
  const named = rows.flatMap((rule) => {
    const owners = rule.of?.split(/\s+/) ?? ['']
    const names = rule.calls.split(/\s+/)
    return owners.flatMap((owner) => names.map((name) => ({ key: `${owner}.${name}`, rule })))
  })
  const groups = Map.groupBy(named, ({ key }) => key)
  return new Map([...groups].map(([key, found]) => [key, found.map(({ rule }) => rule)]))
}

/** Finds what a call destroys, by the first rule that finds something. */
export function judgeCall(
  language: CodeLanguageName,
  call: CodeCall,
  look: FindNested,
): readonly Harm[] {
  for (const key of [...call.keys, `.${call.name}`, '.*']) {
    for (const { on, judge } of indexes.get(language)?.get(key) ?? []) {
      const found = on === undefined || on.test(call.receiver) ? judge(call, look) : harmless
      if (found.length > 0) return found
    }
  }
  return harmless
}
