/** The three small tasks of docs/performance.md, each a repository and what the model says. */
import type { Scenario } from './work.ts'

/** A file as a model writes it. */
export const file = (path: string, text: string): string => `${path}\n\`\`\`js\n${text}\`\`\`\n`

/** An edit as a model writes it. */
export const edit = (path: string, search: string, replace: string): string =>
  `${path}\n\`\`\`js\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\`\n`

/** What every repository begins with: one module and its test. */
export const smallProject: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(
    { name: 'small', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } },
    null,
    2,
  )}\n`,
  'src/greet.js': `/** A greeting for a name. */
export function greet(name) {
  return \`Hello, \${name}!\`
}
`,
  'test/greet.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { greet } from '../src/greet.js'

test('greets by name', () => {
  assert.equal(greet('Ada'), 'Hello, Ada!')
})
`,
}

/** A task with the files that a model would write for it itself. */
export interface SmallScenario extends Scenario {
  /** What is written at first, and what mends it where that is wrong. */
  readonly attempts: readonly Readonly<Record<string, string>>[]
}

interface SmallTask {
  readonly name: string
  readonly title: string
  readonly details: string
  readonly module: string
  readonly first: string
  readonly test: string
  /** What the executor answers a repair with, and the whole module as the floor gets it. */
  readonly repair?: { readonly edit: string; readonly module: string }
}

function scenario({ name, title, details, module, first, test, repair }: SmallTask): SmallScenario {
  const [path, testPath] = [`src/${module}.js`, `test/${module}.test.js`]
  const draft = file(path, first) + file(testPath, test)
  const whole = repair ? [file(path, repair.module) + file(testPath, test)] : []
  return {
    name,
    files: {
      ...smallProject,
      'ROADMAP.md': `# Roadmap\n\n- [ ] T-1: ${title}\n  - ${details}\n  - **Files**: \`${path}\`\n`,
    },
    task: `${title}\n${details}\nFiles: ${path}, with its test in ${testPath}`,
    answers: { executor: [draft, ...(repair ? [repair.edit] : [])], floor: [draft, ...whole] },
    attempts: [{ [path]: first, [testPath]: test }, ...(repair ? [{ [path]: repair.module }] : [])],
  }
}

const slug = `/** Words in lower case, joined by dashes. */
export function slug(title) {
  return title.toLowerCase().match(/[a-z0-9]+/g)?.join('-') ?? ''
}
`

const median = (even: string) => `/** The middle of a list of numbers; NaN for an empty one. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length % 2 === 1) return sorted[middle]
  return ${even}
}
`

const wrongEven = 'sorted[middle]'
const rightEven = '(sorted[middle - 1] + sorted[middle]) / 2'

const testOf = (name: string, cases: readonly string[]) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ${name} } from '../src/${name}.js'

test('${name}', () => {
${cases.map((each) => `  assert.${each}\n`).join('')}})
`

export const smallTasks: readonly SmallScenario[] = [
  scenario({
    name: 'S1',
    title: 'Make slugs of titles',
    details:
      '`slug(title)` is in lower case, its words joined by dashes: "Hello, World" → "hello-world"',
    module: 'slug',
    first: slug,
    test: testOf('slug', ["equal(slug('Hello, World'), 'hello-world')", "equal(slug('!'), '')"]),
  }),
  scenario({
    name: 'S2',
    title: 'Clamp numbers',
    details: '`clamp(value, low, high)` is the value, or the bound it is beyond',
    module: 'clamp',
    first: `/** The value, or the bound it is beyond. */
export function clamp(value, low, high) {
  if (value < low) {
    return low
  return value > high ? high : value
}
`,
    test: testOf('clamp', ['equal(clamp(5, 1, 3), 3)', 'equal(clamp(2, 1, 3), 2)']),
    repair: {
      edit: edit('src/clamp.js', '    return low', '    return low\n  }'),
      module: `/** The value, or the bound it is beyond. */
export function clamp(value, low, high) {
  if (value < low) {
    return low
  }
  return value > high ? high : value
}
`,
    },
  }),
  scenario({
    name: 'S3',
    title: 'Find the median',
    details: '`median(numbers)` is the middle number, or the mean of the two in the middle',
    module: 'median',
    first: median(wrongEven),
    test: testOf('median', ['equal(median([3, 1, 2]), 2)', 'equal(median([4, 1, 2, 3]), 2.5)']),
    repair: {
      edit: edit('src/median.js', `  return ${wrongEven}\n}`, `  return ${rightEven}\n}`),
      module: median(rightEven),
    },
  }),
]
