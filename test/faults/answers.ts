import type { ModelReply, ModelRequest } from '../../src/core/ports/model.ts'

const file = (path: string, text: string): string => `${path}\n\`\`\`js\n${text}\`\`\`\n`

const source = (name: string, body: string): string =>
  file(`src/${name}.js`, `export const ${name} = () => ${body}\n`)

const tested = (name: string, body: string): string =>
  source(name, body) +
  file(
    `test/${name}.test.js`,
    `import { test } from 'node:test'\nimport { ${name} } from '../src/${name}.js'\n\ntest('${name} works', () => {\n  if (${name}() === undefined) throw new Error('no')\n})\n`,
  )

/** What a task's title names: "Add one, in `src/one.js`". */
const nameIn = (text: string, task: string): string =>
  new RegExp(`task ${task}(?::| \\()\\s*Add (\\w+)`, 'i').exec(text)?.[1] ?? 'nothing'

const proposal = JSON.stringify(
  ['left', 'right'].map((name) => ({
    title: `Add ${name}, which answers a number`,
    details: [`${name}() answers the number that its test names.`],
    files: [`src/${name}.js`, `test/${name}.test.js`],
  })),
)

const call = (tool: string, given: object = {}): string =>
  `I use ${tool}.\n\`\`\`json\n${JSON.stringify({ tool, arguments: given })}\n\`\`\`\n`

const clearing = file('src/clear.js', "import { rmSync } from 'node:fs'\nrmSync(process.argv[2])\n")

/** The next step of a loop, by what the last one showed; two calls come first. */
function thinkOf(messages: ModelRequest['messages']): string {
  const text = messages.map(({ content }) => content).join('\n')
  const name = nameIn(text, /task (T-[\w-]+)(?::| \()/i.exec(text)?.[1] ?? '')
  const last = messages.at(-1)?.content ?? ''
  const isFirst = messages.every(({ role }) => role !== 'assistant')
  if (isFirst) return call('grep', { words: 'zero' }) + call('read_file', { path: 'src/zero.js' })
  if (name.startsWith('hopeless')) return file(`src/${name}.js`, '() => {\n')
  if (/The tests pass|has to approve/.test(last)) return call('done', { summary: `Adds ${name}.` })
  if (/The change so far/.test(last)) return call('run_tests')
  if (/WHY IT FAILED/.test(last)) return source(name, '1')
  return name === 'clear' ? clearing : tested(name, name.startsWith('wrong') ? "'WRONG'" : '1')
}

const draftOf = (name: string): string => tested(name, name.startsWith('wrong') ? "'WRONG'" : '1')

/**
 * What the model of these tests says: a function of what it is asked, so that a question asked twice
 * shows as such, and as nothing else. `broken` in a title does not parse at first, `wrong` fails its
 * test at first, and `hopeless` never parses.
 */
function answerOf({ purpose, messages }: Pick<ModelRequest, 'purpose' | 'messages'>): string {
  const text = messages.at(-1)?.content ?? ''
  const task = /task (T-[\w-]+)(?::| \()/i.exec(text)?.[1] ?? ''
  const name = nameIn(text, task)
  const hasTrouble = (kind: string): boolean => name.startsWith(kind)
  switch (purpose) {
    case 'draft': {
      const all = text.match(/(?<=^TASK )T-[\w-]+(?=:)/gm) ?? []
      if (all.length > 1)
        return all.map((id) => `## ${id}\n${draftOf(nameIn(text, id))}`).join('\n')
      if (hasTrouble('broken') || hasTrouble('hopeless')) return file(`src/${name}.js`, '() => {\n')
      return /shorter/i.test(text) ? source(name, '2') : draftOf(name)
    }
    case 'repair_code':
      return hasTrouble('hopeless') ? file(`src/${name}.js`, '() => {{\n') : tested(name, '1')
    case 'repair_test':
      return source(name, '1')
    case 'think':
      return thinkOf(messages)
    case 'reflect':
      return 'It said WRONG.\nThe test wants a number.\nSay 1.'
    case 'classify':
      return JSON.stringify({ reason: 'task_too_complex', explanation: 'It asks for two things.' })
    case 'recover':
      return proposal
    default:
      return '{}'
  }
}

export function answered(request: ModelRequest): ModelReply {
  const usage = { requests: 1, promptTokens: 100, completionTokens: 10, dollars: 0.01 }
  return { status: 'answered', text: answerOf(request), finish: 'stop', usage }
}
