/** Naive: asks for the whole file, up to two rounds with the test output. A process of its own, as any other program. */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { fileBlock } from '../../harness/answer.ts'
import { runChild } from '../../harness/run-child.ts'

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string', default: '' },
    model: { type: 'string', default: '' },
    task: { type: 'string', default: '' },
    file: { type: 'string', default: '' },
    show: { type: 'string', multiple: true, default: [] },
    test: { type: 'string', default: '' },
  },
})
const { file, model, test } = values
const rounds = 2
/** Milliseconds. */
const longestTest = 60_000
const longestOutput = 4_000

const paths = [...values.show, file]
const shown = await Promise.all(
  paths.map(async (path) => fileBlock(path, await readFile(path, 'utf8'))),
)
const wanted = `Reply with the whole file \`${file}\`.`
const messages = [{ role: 'user', content: `${values.task}\n\n${shown.join('')}${wanted}` }]
for (let round = 0; round <= rounds; round += 1) {
  const answer = await ask()
  const code = /^ *```[^\n]*\n([\s\S]*?)^ *```/m.exec(answer)?.[1]
  if (code !== undefined) await writeFile(file, code)
  const run = await runChild(['sh', '-c', test], process.cwd(), process.env, longestTest)
  if (run.code === 0) break
  const failed = `The tests fail:\n${run.output.slice(-longestOutput)}\n${wanted}`
  messages.push({ role: 'assistant', content: answer }, { role: 'user', content: failed })
}

/** Streamed, so that a slow answer is not taken for silence. */
async function ask(): Promise<string> {
  const response = await fetch(`${values['base-url']}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify({ model, messages, stream: true }),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  const events = (await response.text()).matchAll(/^data: (\{.*\})$/gm)
  return [...events]
    .map(([, event = '']) => JSON.parse(event).choices[0]?.delta?.content ?? '')
    .join('')
}
