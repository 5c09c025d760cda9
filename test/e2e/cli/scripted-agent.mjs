// An agent as users have them: reads its task on standard input, asks the model in its own form, edits files, and says
// what it did. The model's answer is JSON: `{files, asks, exit, says}`.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'

const { OPENAI_BASE_URL, OPENAI_API_KEY } = process.env
const ask = async (content) => {
  const answer = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${OPENAI_API_KEY}` },
    body: JSON.stringify({ model: 'dear', messages: [{ role: 'user', content }] }),
  })
  const body = await answer.json()
  if (answer.ok) return body.choices[0].message.content
  console.error(`The model answers ${answer.status}: ${body.error?.message}`)
  return process.exit(7)
}

const task = await text(process.stdin)
const { files = {}, links = {}, asks = 0, exit = 0, says = 'Done.' } = JSON.parse(await ask(task))
for (let more = 0; more < asks; more += 1) await ask(task)
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
for (const [path, target] of Object.entries(links)) symlinkSync(target, path)
console.log(says)
process.exitCode = exit
