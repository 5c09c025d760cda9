import type { KnownFix } from '../../src/core/domain/known-fix.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import type { Settings } from '../../src/core/domain/settings.ts'
import type { Memory } from '../../src/core/ports/memory.ts'
import type { Ports } from '../../src/core/ports.ts'
import { runRoadmap } from '../../src/runs/run-roadmap.ts'
import { fakePorts, someSettings } from '../fakes/facts.ts'
import { createMemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryStore } from '../fakes/memory-store.ts'
import { createMemoryWorkspace, type Files } from '../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../fakes/silent-person.ts'
import type { HelperNight } from './helper-nights.ts'

/** Files with the words of the second task: they take the place of the helper among the similar ones. */
function alike({ user: { task, path } }: HelperNight): Files {
  const ending = path.slice(path.lastIndexOf('.'))
  const words = task.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  return Object.fromEntries([1, 2, 3].map((n) => [`old/${words}-${n}${ending}`, `${task} ${n}\n`]))
}

/** The machine and the repository of a night; each `start` is a process of its own. */
export function openNight(
  night: HelperNight,
  settings: Partial<Settings> = {},
  given: Partial<Ports> = {},
) {
  const steps = [night.helper, night.user]
  const needs = night.needs ? '  - **Depends on**: T-1\n' : ''
  const roadmap = steps
    .map(
      ({ task, path }, at) =>
        `- [ ] **T-${at + 1}**: ${task}\n  - **Files**: \`${path}\`\n${at === 1 ? needs : ''}`,
    )
    .join('')
  const workspace = createMemoryWorkspace({
    files: { 'ROADMAP.md': roadmap, ...alike(night), ...night.files },
  })
  /** The last question about each task, and all of them. */
  const asked = new Map<string, string>()
  const questions: string[] = []
  let calls = 0
  let dies = 0
  const ports = fakePorts({
    ...{
      workspace,
      forge: createMemoryForge(),
      store: createMemoryStore(),
      person: createSilentPerson(),
    },
    ...{
      sandbox: createScriptedSandbox(),
      syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
    },
    settings: { ...someSettings(), stack: night.stack ?? 'chain', ...settings },
    model: {
      async complete({ messages, purpose }) {
        calls += 1
        if (calls === dies) throw new Error('the machine died')
        const question = messages.at(-1)?.content ?? ''
        const at = question.includes('T-2') ? 1 : 0
        asked.set(`T-${at + 1}`, question)
        questions.push(question)
        const { path = '', text: right = '' } = steps[at] ?? {}
        const text = at === 0 && purpose === 'draft' ? (night.draft ?? right) : right
        const before = night.files?.[path]
        const whole = `${path}\n\`\`\`\n${text}\`\`\`\n`
        const edit = `${path}\n\`\`\`\n<<<<<<< SEARCH\n${before}=======\n${text}>>>>>>> REPLACE\n\`\`\`\n`
        return {
          status: 'answered',
          text: before === undefined ? whole : edit,
          finish: 'stop',
          usage: { requests: 1, promptTokens: 1, completionTokens: 1, dollars: 0 },
        }
      },
    },
    ...given,
  })
  const { signal } = new AbortController()
  return {
    asked,
    questions,
    workspace,
    ports,
    /** @param diesAt the call to the model, from 1, at which the process is killed */
    start(
      only: readonly string[] | null = null,
      other: Partial<Ports> = {},
      diesAt = 0,
    ): Promise<RunState> {
      dies = calls + diesAt
      return runRoadmap({ ...ports, ...other }, { only, fresh: false, dryRun: false, signal })
    },
  }
}

export const verdictsOf = ({ tasks: { results } }: RunState): readonly string[] =>
  Object.values(results).map(({ verdict }) => verdict)

/** The section of what earlier tasks made; empty without one. */
export const sectionOf = (question = ''): string =>
  /(?:^|\n\n)(EARLIER\n[\s\S]*?)(?=\n\n|$)/.exec(question)?.[1] ?? ''

/** A memory that offers this fix for every error. */
export const remembering = (fix: KnownFix | null): Memory => ({
  recall: async (signature) => fix && { ...fix, signature },
  learn: async () => {},
  all: async () => (fix === null ? [] : [fix]),
  forgotten: async () => [],
})

/** A first answer that does not parse, and the parser that says so. */
export const draft = 'export function formatAmount(cents) {\n  return cents BROKEN\n}\n'
export const syntax: Ports['syntax'] = {
  check: async (_, text) =>
    text.includes('BROKEN')
      ? { status: 'checked', problems: [{ line: 2, column: 16, message: 'Unexpected token' }] }
      : { status: 'unavailable', reason: '' },
}
