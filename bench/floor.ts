/**
 * THE FLOOR: the least code that does the work of one task. It asks, writes the files of the
 * answer, runs the tests and commits; when they fail it asks again with what they said, for the
 * whole files. `floor.ts BASE_URL TRIES TESTS TASK` in a repository, TESTS being a shell command. It uses nothing of src/, and has no
 * types in it: it is run as a `.mjs`, so that it need not wait for them to be stripped.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const [baseUrl, tries, tests = '', task = ''] = process.argv.slice(2)
const wanted =
  'Reply with files only. For each file: its path alone on a line, then a code fence with the whole file.'
const messages = [{ role: 'user', content: `${task}\n\n${wanted}` }]

process.exitCode = 1
for (let left = Number(tries); left > 0 && process.exitCode !== 0; left -= 1) {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', messages }),
  })
  const answer = JSON.parse(await response.text()).choices[0].message.content
  for (const [, path = '', text = ''] of answer.matchAll(/^(\S+)\n```\w*\n([\s\S]*?)^```$/gm)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const { status, stdout } = spawnSync(tests, { shell: true, encoding: 'utf8' })
  if (status === 0) {
    spawnSync('git', ['add', '--all'])
    process.exitCode = spawnSync('git', ['commit', '--quiet', '--message', task]).status ?? 1
  }
  const failed = `The tests fail:\n${stdout}\nReply with the whole files again.`
  messages.push({ role: 'assistant', content: answer }, { role: 'user', content: failed })
}
