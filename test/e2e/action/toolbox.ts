import type {
  ScriptedAnswer,
  ScriptedRule,
} from '../../../packages/github-simulator/model/model-script.ts'

/** A test of `src/<from>.js`, which exports a function of that name. */
export function testOf(name: string, assertion: string, from = name): string {
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ${name} } from '../src/${from}.js'

test('${name} works', () => {
  ${assertion}
})
`
}

/**
 * A small project for the Action to work on: plain JavaScript, tested by node:test, nothing to install. Its
 * tests share a process, which is a third of the work.
 */
const project: Readonly<Record<string, string>> = {
  'README.md': '# Toolbox\n',
  'package.json':
    '{"name":"toolbox","type":"module","scripts":{"test":"node --test --test-isolation=none"}}\n',
  'src/add.js': 'export const add = (a, b) => a + b\n',
  'test/add.test.js': testOf('add', 'assert.equal(add(2, 3), 5)'),
}

/** The project with a roadmap of these tasks: `T-1: Halve a number`. */
export const withRoadmap = (...tasks: readonly string[]): Readonly<Record<string, string>> => ({
  ...project,
  'ROADMAP.md': `# Roadmap\n\n## Tools\n\n${tasks.map((task) => `- [ ] ${task}\n`).join('')}`,
})

/** An answer's file, as the prompt asks for it. */
export const file = (path: string, text: string): string => `${path}\n\`\`\`js\n${text}\`\`\`\n`

/** An edit of whole lines. */
export const edit = (path: string, search: string, replace: string): string =>
  file(path, `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`)

/** The answer for a task of its own: a new file with a test. */
export const tool = (name: string, body: string, assertion: string): string =>
  file(`src/${name}.js`, `export const ${name} = ${body}\n`) +
  file(`test/${name}.test.js`, testOf(name, assertion))

/** Tasks `T-1`, `T-2`, … that multiply a number by 2, 3, …, each in a file of its own. */
export const multiples = (count: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, at) => `T-${at + 1}: Multiply by ${at + 2}, in \`src/times${at + 2}.js\``,
  )

/** What the model says to these, once each: a second question is refused. */
export const multipleAnswers = (count: number): readonly ScriptedRule[] =>
  Array.from({ length: count }, (_, at) => {
    const factor = at + 2
    const answer = tool(
      `times${factor}`,
      `(n) => ${factor} * n`,
      `assert.equal(times${factor}(2), ${2 * factor})`,
    )
    return once(`T-${at + 1}`, answer)
  })

/** A task's draft, in the order it is asked for; one question too many is refused. */
export const once = (task: string, ...answers: readonly ScriptedAnswer[]): ScriptedRule => ({
  when: { contains: `TASK ${task}:`, purpose: 'draft' },
  answers,
  usedUp: 'error',
})
