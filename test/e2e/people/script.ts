import type {
  ModelScript,
  ScriptedRule,
} from '../../../packages/github-simulator/model/model-script.ts'
import { file, tool } from '../action/toolbox.ts'

const broken = file('src/a.js', 'export const a = () => {\n')

/** The task that a prompt is about; others it only mentions. */
const asked = (task: string): RegExp => new RegExp(`task ${task}:`, 'i')

const says = (task: string, purpose: string, ...answers: readonly string[]): ScriptedRule => ({
  when: { contains: asked(task), purpose },
  answers,
})

/** A model that never gets this task right, and says why when it is asked. */
export const failing = (
  task: string,
  reason: string,
  ...proposals: readonly string[]
): ModelScript => [
  says(task, 'draft', broken),
  says(task, 'repair_code', broken),
  says(
    task,
    'classify',
    JSON.stringify({ reason, explanation: 'It asks for several things at once.' }),
  ),
  ...(proposals.length > 0 ? [says(task, 'recover', ...proposals)] : []),
]

/** What a model says when it is asked for a plan. */
export const planned = (task: string, plan: string): readonly ScriptedRule[] => [
  says(task, 'plan', plan),
]

/** A model that writes a function and its test, once. */
export const writes = (task: string, name: string, value: number): ScriptedRule => ({
  when: { contains: asked(task), purpose: 'draft' },
  answers: [tool(name, `() => ${value}`, `if (${name}() !== ${value}) throw new Error('no')`)],
  usedUp: 'error',
})

/** What a model proposes: functions in files of their own, each with a result to check. */
export const proposal = (...names: readonly string[]): string =>
  JSON.stringify(
    names.map((name) => ({
      title: `Add ${name}, which answers a number`,
      details: [`${name}() answers the number that its test names.`],
      files: [`src/${name}.js`, `test/${name}.test.js`],
    })),
  )
