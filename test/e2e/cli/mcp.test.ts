import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tools } from '../../../src/entry/cli/mcp/tools.ts'
import { cli, createProject, leftovers, processesOf } from './bench.ts'
import { alphabet, letterAnswers, letterFiles, letterRoadmap } from './letters.ts'
import { photograph } from './look-at-disk.ts'
import { openMcp } from './mcp-client.ts'
import { file, startModel } from './model.ts'
import { ownTree } from './scenario.ts'

const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(2) }
const never = { text: letterFiles(0), fault: { kind: 'slow', seconds: 600 } } as const
const clears = file('scripts/clear.sh', '#!/bin/sh\nset -eu\nrm -rf "$1"\n')
const endless =
  "import { test } from 'node:test'\n\ntest('endless', async () => {\n  for (;;) await new Promise((resolve) => setTimeout(resolve, 100))\n})\n"

describe.concurrent('the MCP server', () => {
  it('lists its tools, of which only run_task writes to the repository', async () => {
    const last = '- [ ] T-3: Let `start` answer a dot\n  - Files: `src/start.js`\n'
    using project = createProject({ ...files, 'ROADMAP.md': `${letterRoadmap(2)}${last}` })
    await using mcp = await openMcp(project)
    const listed = (await mcp.client.listTools()).tools
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(tools))
    for (const { description, inputSchema, outputSchema } of listed) {
      expect(description).toMatch(/^[A-Z].*\.$/)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object', additionalProperties: {} })
    }
    const before = photograph(project.path)
    const plan = await mcp.call('plan')
    expect(plan.text).toMatch(
      /^T-1 pending: Add `a`\nT-2 pending: Add `b` \(after T-1\)\nT-3 .*\nAbout \d+ tokens\.$/,
    )
    expect(plan.value).toMatchObject({
      tasks: [
        { id: 'T-1', dependsOn: [] },
        { id: 'T-2', dependsOn: ['T-1'], reason: 'after T-1' },
        { id: 'T-3' },
      ],
      groups: [['T-1', 'T-3'], ['T-2']],
    })
    const status = await mcp.call('status')
    expect(status.value).toMatchObject({ run: null, tasks: [{ status: 'pending' }, {}, {}] })
    const context = await mcp.call('context', { id: 'T-3' })
    expect(context.value).toMatchObject({ task: 'T-3', status: 'built' })
    expect(context.value).not.toHaveProperty('files')
    const code = await mcp.call('context', { id: 'T-3', include_code: true })
    expect(code.value).toMatchObject({ files: [{ path: 'src/start.js' }, {}] })
    expect(code.text).toContain("export const start = () => ''")
    expect(photograph(project.path)).toEqual(before)
  })

  it('runs a task, tells its progress, and leaves the rest of the work', async () => {
    using project = createProject(files)
    const own = ownTree(project)
    await using model = await startModel(letterAnswers(2))
    await using mcp = await openMcp(project, model.variables)
    const lines: string[] = []
    const heard = (line: string) => lines.push(line)
    const first = await mcp.call('run_task', { id: 'T-1' }, { heard })
    expect(first.value).toMatchObject({
      ...{ task: 'T-1', outcome: 'done', branch: 'agent/T-1', approval: null, stopped: null },
      ...{ tokens: model.tokens(), cost: null, next: 'Review it: git log --stat main..agent/T-1' },
    })
    expect(first.text).toMatch(/^T-1 done on agent\/T-1 \(.*\n.*next: Review it/s)
    expect(lines.join('\n')).toContain('running the tests')
    expect(mcp.log()).toContain('running the tests')
    // The same server goes on with another task.
    const second = await mcp.call('run_task', { id: 'T-2' })
    expect(second.value).toMatchObject({ outcome: 'done' })
    const again = await mcp.call('run_task', { id: 'T-2' })
    expect(again.value).toMatchObject({ outcome: 'done' })
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2'])
    const plan = await mcp.call('plan')
    expect(plan.value).toMatchObject({ tasks: [{ status: 'done' }, { status: 'done' }] })
    expect(ownTree(project)).toEqual(own)
    expect(leftovers(project)).toEqual([])
  })

  it('checks a branch and a patch', async () => {
    using project = createProject(files)
    project.git('switch', '--quiet', '--create', 'feature')
    project.put('src/a.js', "import { gone } from './gone.js'\n\nexport const a = gone\n")
    project.commit('Break')
    project.git('switch', '--quiet', 'main')
    await using mcp = await openMcp(project)
    const branch = await mcp.call('check', { change: 'feature', task: 'T-1' })
    expect(branch.value).toMatchObject({ passed: false, result: 'failed' })
    expect(branch.value?.findings).toContainEqual(expect.objectContaining({ rule: 'import' }))
    expect(branch.text).toMatch(/^✖ Not passed: feature on main .*\nsrc\/a\.js:1\S* error import /m)
    const patch = `${project.git('diff', 'main', 'feature')}\n`
    const same = await mcp.call('check', { patch, task: 'T-1' })
    expect(same.value?.findings).toEqual(branch.value?.findings)
    const good = `--- /dev/null\n+++ b/notes.md\n@@ -0,0 +1 @@\n+Notes.\n`
    expect((await mcp.call('check', { patch: good })).value).toMatchObject({ passed: true })
  })

  it('obeys budgets: an argument can lower one, and never raise it', async () => {
    using project = createProject({ ...files, '.github/executor.yml': 'max-tokens: 2\n' })
    await using model = await startModel(letterAnswers(1))
    await using mcp = await openMcp(project, model.variables)
    const raised = await mcp.call('run_task', { id: 'T-1', max_tokens: 1_000_000 })
    expect(raised.value).toMatchObject({
      ...{ outcome: 'budget_exceeded', stopped: 'limit' },
      next: 'Raise --max-tokens, then run again: it goes on where it stopped.',
    })
    expect(raised.value?.limits).toEqual([expect.stringContaining('max-tokens')])
    expect(model.asked()).toEqual([])
    const unpriced = await mcp.call('run_task', { id: 'T-1', max_cost: 0.01 })
    expect(unpriced.isError).toBe(true)
    expect(unpriced.text).toContain('No price is known for scripted')
    rmSync(`${project.path}/.github`, { recursive: true })
    const lowered = await mcp.call('run_task', { id: 'T-1', max_tokens: 1 })
    expect(lowered.value).toMatchObject({ outcome: 'budget_exceeded', stopped: 'limit' })
    expect((await mcp.call('run_task', { id: 'T-1' })).value).toMatchObject({ outcome: 'done' })
  })

  it('says what needs approval and how a person gives it, and has no argument for it', async () => {
    const clear = '- [ ] T-1: Add a script that clears the folder it is given\n'
    using project = createProject({ ...alphabet, 'ROADMAP.md': `# Letters\n\n${clear}` })
    await using model = await startModel({ 'draft T-1': [clears] })
    await using mcp = await openMcp(project, model.variables)
    for (const _ of ['first', 'again']) {
      const { text, value, isError } = await mcp.call('run_task', { id: 'T-1' })
      expect(isError).toBe(false)
      expect(value).toMatchObject({
        outcome: 'waiting',
        branch: null,
        approval: { how: 'Answer at a terminal: executor run --task T-1' },
      })
      expect(text).toMatch(/Needs approval by a person:\n(?:.*\n)*.*rm -rf "\$1"/)
    }
    const approved = await mcp.call('run_task', { id: 'T-1', approve: true })
    expect([approved.isError, approved.text]).toEqual([true, expect.stringContaining('"approve"')])
    expect(model.asked()).toEqual(['draft T-1'])
    expect(project.branches()).toEqual([])
  })

  it('asks about a recovery as a terminal would', async () => {
    const broken = file('src/a.js', 'export const a = () => {\n')
    const plan = { files: ['src/a.js', 'src/b.js'], complexity: 'high', steps: ['a', 'b'] }
    const parts = ['a', 'b'].map((name) => ({
      title: `Add \`${name}\`, which answers a letter`,
      files: [`src/${name}.js`, `test/${name}.test.js`],
    }))
    using project = createProject({
      ...{ ...alphabet, 'ROADMAP.md': '# Letters\n\n- [ ] T-1: Add `a` and `b`\n' },
      '.github/executor.yml': 'strategy: two_phase\n',
    })
    await using model = await startModel({
      'plan T-1': [JSON.stringify(plan)],
      'draft T-1': [broken],
      'repair_code T-1': [broken, broken],
      'recover T-1': [JSON.stringify(parts)],
    })
    await using mcp = await openMcp(project, model.variables)
    const { value, text } = await mcp.call('run_task', { id: 'T-1' })
    expect(value, text).toMatchObject({ outcome: 'waiting' })
    expect(text).toMatch(/Needs approval by a person:[\s\S]*Add `a`, which answers a letter/)
  })
})

describe.concurrent('the MCP server with bad input', () => {
  const broken = { 'ROADMAP.md': '- [ ] T-1: One\n- [ ] T-1: Two (depends on T-9)\n' }
  const bad = { 'ROADMAP.md': '- [ ] T-1: One\n', '.github/executor.yml': 'max-tasks: many\n' }
  const off = { 'ROADMAP.md': '- [ ] T-1: One\n', '.github/executor.yml': 'enabled: false\n' }
  const model = { OPENAI_MODEL: 'any', OPENAI_BASE_URL: 'http://127.0.0.1:9' }
  it.each([
    [
      'an unknown task',
      files,
      {},
      [
        ['context', { id: 'T-9' }, /^The roadmap has no task T-9\.\nnext: executor plan lists/],
        ['run_task', { id: 'T-1' }, /^No model is configured\.\nnext: Name one/],
        ['run_task', {}, /Invalid arguments for tool run_task/],
        ['run_task', { id: 'T-1', max_tokens: -1 }, /max_tokens|Too small/],
        ['check', {}, /^Give a change or a patch/],
        ['check', { change: 'main', patch: 'x' }, /^Give a change or a patch/],
        ['check', { change: 'nowhere' }, /^There is no branch or commit nowhere\./],
        ['check', { change: 'main' }, /There is nothing to check/],
        ['check', { change: '-' }, /^There is no branch or commit -\./],
        ['check', { change: 'ROADMAP.md' }, /^There is no branch or commit ROADMAP\.md\./],
        ['check', { change: '--all' }, /^There is no branch or commit --all\./],
        ['check', { change: 'main..ROADMAP.md' }, /^There is no branch or commit ROADMAP\.md\./],
        ['check', { change: 'main\0..main' }, /^There is no branch or commit main/],
        ['check', { change: 'main...main' }, /There is nothing to check/],
        ['check', { patch: 'no diff' }, /^Cannot read patch as a patch: it has no diff\./],
        ['approve', { id: 'T-1' }, /Tool approve not found/],
      ],
    ],
    [
      'an unknown task to run',
      files,
      model,
      [
        ['run_task', { id: 'T-9' }, /The roadmap has no task T-9\.\nnext: /],
        ['run_task', { id: '$(touch x)\u0000' }, /The roadmap has no task/],
      ],
    ],
    [
      'a roadmap with errors',
      broken,
      model,
      [
        ['plan', {}, /^ROADMAP\.md:2:\d+ .*T-1/],
        ['run_task', { id: 'T-1' }, /T-1.*\nnext: /],
      ],
    ],
    [
      'no roadmap',
      { 'a.txt': '' },
      model,
      [
        ['plan', {}, /^There is no ROADMAP\.md in the base commit\./],
        ['status', {}, /^There is no ROADMAP\.md/],
      ],
    ],
    ['no commit', {}, model, [['run_task', { id: 'T-1' }, /has no commit yet\.\nnext: Commit/]]],
    [
      'a wrong configuration',
      bad,
      model,
      [
        ['status', {}, /executor\.yml:1:12 max-tasks must be a number[\s\S]*next: /],
        ['run_task', { id: 'T-1' }, /executor\.yml:1:12 max-tasks must be a number[\s\S]*next: /],
      ],
    ],
    [
      'a switch that is off',
      off,
      model,
      [['run_task', { id: 'T-1' }, /^Switched off: .*\nnext: /]],
    ],
  ] as const)(
    'answers with what to do next, and goes on: %s',
    async (_, given, variables, calls) => {
      using project = createProject(given)
      await using mcp = await openMcp(project, variables)
      for (const [name, args, said] of calls) {
        const { isError, text } = await mcp.call(name, args)
        expect([name, isError, text]).toEqual([name, true, expect.stringMatching(said)])
      }
      await mcp.client.ping()
    },
  )

  it('serves a folder without a repository, and the one that --repo names', async () => {
    using project = createProject(files)
    const outside = { path: project.root, environment: project.environment }
    await using mcp = await openMcp(outside)
    for (const name of ['plan', 'status']) {
      const { isError, text } = await mcp.call(name)
      expect([isError, text]).toEqual([
        true,
        expect.stringContaining('is not inside a git repository.\nnext: '),
      ])
    }
    await using other = await openMcp(outside, {}, ['--repo', project.path])
    expect((await other.call('plan')).isError).toBe(false)
  })

  it('keeps a second run out, its own and another process', async () => {
    using project = createProject(files)
    await using scripted = await startModel({ 'draft T-1': [never] })
    await using mcp = await openMcp(project, scripted.variables)
    const cancel = new AbortController()
    const first = mcp.call('run_task', { id: 'T-1' }, { signal: cancel.signal })
    await scripted.whenAsked('draft T-1')
    await using another = await openMcp(project, scripted.variables)
    for (const server of [mcp, another]) {
      const { isError, text } = await server.call('run_task', { id: 'T-2' })
      expect([isError, text]).toEqual([true, expect.stringContaining('Another run is in progress')])
      expect((await server.call('status')).value).toMatchObject({
        tasks: [{ status: 'running' }, {}],
      })
    }
    cancel.abort('enough')
    await expect(first).rejects.toThrow('enough')
  })
})

describe.concurrent('the MCP server, interrupted', () => {
  it('stops at a cancel, and resumes at the next call', async () => {
    using project = createProject(files)
    await using model = await startModel({ 'draft T-1': [never, letterFiles(0)] })
    await using mcp = await openMcp(project, model.variables)
    const cancel = new AbortController()
    const first = mcp.call('run_task', { id: 'T-1' }, { signal: cancel.signal })
    await model.whenAsked('draft T-1')
    cancel.abort('enough')
    await expect(first).rejects.toThrow('enough')
    const second = await mcp.call('run_task', { id: 'T-1' })
    expect(second.value, second.text).toMatchObject({ outcome: 'done' })
    expect(model.asked()).toEqual(['draft T-1', 'draft T-1'])
    expect(project.log('main..agent/T-1')).toHaveLength(1)
    expect(leftovers(project)).toEqual([])
  })

  it.for(['cancel', 'leave', 'SIGTERM'] as const)(
    'takes the running tests with it: %s',
    async (how, { expect }) => {
      using project = createProject({ ...files, 'test/endless.test.js': endless })
      await using model = await startModel(letterAnswers(1))
      const mcp = await openMcp(project, model.variables)
      const cancel = new AbortController()
      const running = Promise.withResolvers<void>()
      const heard = (line: string) => {
        if (line.includes('running the tests')) running.resolve()
      }
      const call = mcp.call('run_task', { id: 'T-1' }, { signal: cancel.signal, heard })
      const over = expect(call).rejects.toThrow()
      await running.promise
      const tests = () => processesOf(project).filter((line) => line.startsWith('node --test'))
      await expect.poll(() => tests().length, { timeout: 20_000 }).toBe(2)
      if (how === 'cancel') cancel.abort()
      else if (how === 'leave') await mcp.client.close()
      else process.kill(mcp.pid, how)
      await over
      await expect.poll(tests, { timeout: 20_000 }).toEqual([])
      if (how !== 'cancel')
        await expect.poll(() => processesOf(project), { timeout: 20_000 }).toEqual([])
      const { stdout } = await project.run(['status', '--json'])
      expect(JSON.parse(stdout).tasks[0]).toMatchObject({ status: 'interrupted' })
      await mcp.client.close()
    },
  )

  it('stops the tests of a check that is cancelled', async ({ expect }) => {
    using project = createProject({ ...files, 'test/endless.test.js': endless })
    project.git('switch', '--quiet', '--create', 'feature')
    project.put('src/end.js', 'export const end = 1\n')
    project.commit('More')
    project.git('switch', '--quiet', 'main')
    // Where a check works: processesOf finds it there.
    await using mcp = await openMcp(project, { TMPDIR: project.root })
    const cancel = new AbortController()
    const call = mcp.call('check', { change: 'feature' }, { signal: cancel.signal })
    const over = expect(call).rejects.toThrow()
    const tests = () => processesOf(project).filter((line) => line.startsWith('node --test'))
    await expect.poll(() => tests().length, { timeout: 20_000 }).toBeGreaterThan(0)
    cancel.abort()
    await over
    await expect.poll(tests, { timeout: 20_000 }).toEqual([])
    expect((await mcp.call('plan')).isError).toBe(false)
  })

  it('works without its log, and stops as usual when its client vanishes', async () => {
    using project = createProject(files)
    await using model = await startModel({ 'draft T-1': [letterFiles(0)], 'draft T-2': [never] })
    const env = { ...project.environment, ...model.variables }
    const server = spawn(process.execPath, [cli, 'mcp'], { cwd: project.path, env, stdio: 'pipe' })
    server.stderr.destroy()
    const send = (message: object) =>
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const run = (id: number, task: string) =>
      send({ id, method: 'tools/call', params: { name: 'run_task', arguments: { id: task } } })
    const clientInfo = { name: 'raw', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    send({ id: 1, method: 'initialize', params })
    send({ method: 'notifications/initialized' })
    run(2, 'T-1')
    let output = ''
    for await (const piece of server.stdout) {
      output += piece
      if (output.includes('"id":2')) break
    }
    expect(output).toContain('"outcome":"done"')
    run(3, 'T-2')
    await model.whenAsked('draft T-2')
    const ended = once(server, 'exit')
    server.stdin.destroy()
    expect(await ended).toEqual([0, null])
    expect(leftovers(project)).toEqual([])
    const state = JSON.parse(readFileSync(`${project.path}/.executor/state.json`, 'utf8'))
    expect(state).toMatchObject({ progress: { stopped: 'cancelled' } })
  })

  it('killed while it tests, resumes in another server and pays for no answer twice', async () => {
    using project = createProject(files)
    await using model = await startModel(letterAnswers(1))
    const mcp = await openMcp(project, model.variables)
    const testing = Promise.withResolvers<void>()
    const heard = (line: string) => {
      if (line.includes('running the tests')) testing.resolve()
    }
    const call = mcp.call('run_task', { id: 'T-1' }, { heard })
    const over = expect(call).rejects.toThrow()
    await testing.promise
    process.kill(mcp.pid, 'SIGKILL')
    await over
    await using other = await openMcp(project, model.variables)
    const { value, text } = await other.call('run_task', { id: 'T-1' })
    expect(value, text).toMatchObject({ outcome: 'done' })
    expect(model.asked()).toEqual(['draft T-1'])
    expect(leftovers(project)).toEqual([])
  })

  it('writes nothing but the protocol, and no secret anywhere', async () => {
    const canary = 'sk-canary-4f9b2c7e1d8a6053'
    using project = createProject({
      ...{ ...files, 'ROADMAP.md': `${letterRoadmap(1)}\nThe key is ${canary}.\n` },
      'src/start.js': `export const start = () => ''\n// ${canary}\n`,
    })
    await using model = await startModel(letterAnswers(1))
    const variables = { ...model.variables, OPENAI_API_KEY: canary }
    const { ended, process: server } = project.start(['mcp'], variables, { input: null })
    const send = (message: object) =>
      server.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const call = (id: number, name: string, given: object) =>
      send({
        id,
        method: 'tools/call',
        params: { name, arguments: given, _meta: { progressToken: id } },
      })
    const clientInfo = { name: 'raw', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    send({ id: 1, method: 'initialize', params })
    send({ method: 'notifications/initialized' })
    server.stdin?.write('no JSON\n\n{"jsonrpc":"2.0"}\n[]\n')
    call(2, 'context', { id: 'T-1', include_code: true })
    call(3, 'context', { id: canary })
    call(4, 'check', { change: 'nowhere', base: canary })
    call(5, 'run_task', { id: 'T-1' })
    send({ id: 6, method: 'tools/call', params: 'wrong' })
    const whole = Promise.withResolvers<void>()
    let output = ''
    server.stdout?.on('data', (piece) => {
      output += piece
      if ([1, 2, 3, 4, 5].every((id) => output.includes(`"id":${id}`))) whole.resolve()
    })
    await whole.promise
    server.stdin?.end()
    if (server.exitCode === null) await once(server, 'exit')
    const { code, stdout, stderr } = await ended
    expect(code, stderr).toBe(0)
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('jsonrpc')
    expect(stdout).toContain('"outcome":"done"')
    expect(stdout).toContain('***')
    expect(`${stdout}${stderr}`).not.toContain(canary)
  })
})
