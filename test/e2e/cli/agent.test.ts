import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, test } from 'vitest'
import { smallTasks } from '../../../bench/scenarios.ts'
import { createProject, leftovers, type Project, processesOf } from './bench.ts'
import { type Answers, startModel } from './model.ts'
import { checkBranches, ownTree } from './scenario.ts'

const program = fileURLToPath(new URL('scripted-agent.mjs', import.meta.url))
const withAgent = ['run', '--strategy', 'agent', '--agent-command', `node ${program}`]

interface Work {
  readonly files?: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
  readonly asks?: number
  readonly exit?: number
  readonly says?: string
}

/** What the model says to the agent: its requests have no purpose. */
const sessions = (...works: readonly Work[]): Answers => ({
  'null T-1': works.map((work) => JSON.stringify(work)),
})

const [small] = smallTasks
if (small === undefined) throw new Error('There is no small task.')
const right: Work = {
  files: small.attempts[0] ?? {},
  says: 'Looking.\n\nI added slugs, with a test.',
}

async function play(
  answers: Answers,
  args: readonly string[] = withAgent,
  files = small?.files ?? {},
  prepare: (project: Project) => void = () => {},
) {
  const project = createProject(files)
  prepare(project)
  const model = await startModel(answers)
  const own = ownTree(project)
  const result = await project.run(args, model.variables)
  expect(ownTree(project)).toEqual(own)
  expect(leftovers(project), result.stderr).toEqual([])
  checkBranches(project)
  const journal = () => {
    const { runId } = project.report()
    return readFileSync(join(project.path, `.executor/journal/${runId}.jsonl`), 'utf8')
  }
  const close = async () => {
    await model[Symbol.asyncDispose]()
    project[Symbol.dispose]()
  }
  return { project, model, result, journal, [Symbol.asyncDispose]: close }
}

/** Sends the signal to a run whose agent waits for its second answer. */
async function stopDuringRequest(signal: 'SIGINT' | 'SIGKILL') {
  const project = createProject(small?.files ?? {})
  const asked = JSON.stringify({ asks: 1, ...right })
  const model = await startModel({
    'null T-1': [
      asked,
      { text: asked, fault: { kind: 'slow', seconds: 600 } },
      JSON.stringify(right),
    ],
  })
  const { ended, process } = project.start(withAgent, model.variables)
  await model.whenAsked('null T-1', 2)
  process.kill(signal)
  const { code } = await ended
  const close = async () => {
    await model[Symbol.asyncDispose]()
    project[Symbol.dispose]()
  }
  return { project, model, code, [Symbol.asyncDispose]: close }
}

describe.concurrent('strategy: agent', () => {
  test.each(smallTasks.map(({ name, files, attempts }) => ({ name, files, attempts })))(
    '$name ends right, and nothing broken is published',
    async ({ files, attempts }) => {
      const works = attempts.map((written) => ({ files: written }))
      await using played = await play(sessions(...works), withAgent, files)
      const { project, model, result } = played
      expect(result.code, result.stderr).toBe(0)
      expect(project.log('main..agent/T-1')).toHaveLength(1)
      for (const [path, text] of Object.entries(Object.assign({}, ...attempts))) {
        expect(project.show('agent/T-1', path)).toBe(text)
      }
      const [task] = project.report().tasks
      expect(task).toMatchObject({ outcome: 'done', repairs: attempts.length - 1 })
      expect(task?.receipt).toMatchObject({ result: 'passed' })
      const { usage } = project.report()
      expect(usage.promptTokens + usage.completionTokens).toBe(model.tokens())
      expect(usage.requests).toBe(attempts.length)
      const replayed = await project.run(['replay', 'last'])
      expect(replayed.code, replayed.stdout + replayed.stderr).toBe(0)
    },
  )

  it('sees nothing but its folder and the model', async () => {
    const word = randomBytes(12).toString('hex')
    // A pattern: the command itself would be found otherwise.
    const pattern = `${word.slice(0, -1)}[${word.slice(-1)}]`
    const probe = [
      `{ grep -rl '${pattern}' /proc/[0-9]*/environ /proc/[0-9]*/cmdline . "$HOME" /tmp /run 2>/dev/null | grep -c .`,
      `env | grep -c '${pattern}'`,
      'ls USERS 2>/dev/null | grep -c .',
      'curl -s -m 2 DIRECT >/dev/null && echo direct',
      'curl -s -m 2 http://example.com | grep -o "not among the addresses"',
      'touch USERS/planted 2>/dev/null && echo planted; } >src/probe.js',
      `node ${program}`,
    ].join('; ')
    const project = createProject({
      ...small.files,
      'ROADMAP.md': '- [ ] T-1: Make slugs of titles\n',
    })
    await using model = await startModel(sessions(right))
    const { OPENAI_BASE_URL = '' } = model.variables
    const command = probe.replaceAll('USERS', project.path).replaceAll('DIRECT', OPENAI_BASE_URL)
    const args = ['run', '--strategy', 'agent', '--agent-command', command]
    const canaries = { OPENAI_API_KEY: `sk-${word}`, GITHUB_TOKEN: `ghp_${word}` }
    const { stderr } = await project.run(args, { ...model.variables, ...canaries })
    const { runId } = project.report()
    const journal = readFileSync(join(project.path, `.executor/journal/${runId}.jsonl`), 'utf8')
    const found = journal.split('\n').find((line) => line.includes('src/probe.js')) ?? ''
    const work = JSON.parse(JSON.parse(found).text)
    const said = work.changes.find(({ path }: { path: string }) => path === 'src/probe.js')?.content
    expect(said, stderr).toBe('0\n0\n0\nnot among the addresses\n')
    project[Symbol.dispose]()
  })

  it('is refused over budget, and the task ends as such', async () => {
    const answers = {
      'null T-1': Array.from({ length: 9 }, () => JSON.stringify({ ...right, asks: 8 })),
    }
    await using played = await play(answers, [...withAgent, '--max-tokens', '1500'])
    const { project, result, model } = played
    expect(result.code, result.stderr).toBe(4)
    expect(project.report().tasks).toMatchObject([{ outcome: 'budget_exceeded' }])
    expect(project.branches()).toEqual([])
    expect(model.tokens()).toBeLessThanOrEqual(1_500)
    expect(model.asked().length).toBeLessThan(9)
  })

  it('says why an agent fails, and what a person can do', async () => {
    const args = ['run', '--strategy', 'agent', '--agent-command', 'no-such-agent exec']
    await using played = await play({}, args)
    expect(played.result.code).toBe(1)
    expect(played.result.stderr).toMatch(
      /the agent ended with exit code 127: .*no-such-agent.*not found/,
    )
  })

  it('leaves out links and binaries, and says so', async () => {
    const work = { ...right, links: { 'src/away.js': '/etc/passwd' } }
    await using played = await play(sessions(work))
    const { project, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(project.show('agent/T-1', 'src/away.js')).toBeNull()
    expect(played.journal()).toContain('src/away.js is a symbolic link, which was left out')
  })

  it('is killed with the run, begins again, and counts what was spent', async () => {
    await using stopped = await stopDuringRequest('SIGKILL')
    const { project, model, code } = stopped
    expect(code).toBe(-1)
    await expect.poll(() => processesOf(project).join('\n'), { timeout: 20_000 }).toBe('')
    const again = await project.run(withAgent, model.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(project.log('main..agent/T-1')).toHaveLength(1)
    const { usage } = project.report()
    expect(usage.promptTokens + usage.completionTokens).toBe(model.tokens())
    expect(leftovers(project)).toEqual([])
  })

  it('books what was under way when it is cancelled', async () => {
    await using stopped = await stopDuringRequest('SIGINT')
    const { project, model, code } = stopped
    expect(code).toBe(4)
    const [journal = ''] = readdirSync(join(project.path, '.executor/journal'))
    const lines = readFileSync(join(project.path, '.executor/journal', journal), 'utf8').split('\n')
    const relayed = lines.filter((line) => line.includes('"kind":"relayed"'))
    expect(relayed).toHaveLength(2)
    const again = await project.run(withAgent, model.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(project.report().usage.requests).toBe(3)
  })

  const config = (command: string) => `strategy: agent\nagent-command: ${command}\n`
  it('takes the command of the default branch, and not that of another', async () => {
    await using model = await startModel(sessions(right))
    using project = createProject({
      ...small.files,
      '.github/executor.yml': config(`node ${program}`),
    })
    project.git('switch', '--quiet', '-c', 'feature')
    project.put('.github/executor.yml', config('touch /tmp/planted'))
    project.commit()
    const refused = await project.run(['run'], model.variables)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('.github/executor.yml:2:16 agent-command is not what main has')
    project.git('switch', '--quiet', 'main')
    const { code, stderr } = await project.run(['run'], model.variables)
    expect(code, stderr).toBe(0)
  })

  it('needs a command', async () => {
    using project = createProject(small.files)
    await using model = await startModel({})
    const { code, stderr } = await project.run(['run', '--strategy', 'agent'], model.variables)
    expect(code).toBe(2)
    expect(stderr).toContain('strategy: agent needs a program')
  })

  it('works on two tasks side by side, each in a folder of its own', async () => {
    const module = (name: string) => ({
      files: { [`src/${name}.js`]: `export const ${name} = 1\n` },
    })
    const roadmap = ['a', 'b'].map(
      (name, at) => `- [ ] T-${at + 1}: Add ${name}\n  - **Files**: \`src/${name}.js\`\n`,
    )
    const answers = {
      'null T-1': [JSON.stringify(module('a'))],
      'null T-2': [JSON.stringify(module('b'))],
    }
    const files = { ...small.files, 'ROADMAP.md': `# Roadmap\n\n${roadmap.join('')}` }
    await using played = await play(answers, [...withAgent, '--parallel', '2'], files)
    expect(played.result.code, played.result.stderr).toBe(0)
    expect(played.project.branches()).toEqual(['agent/T-1', 'agent/T-2'])
  })
})
