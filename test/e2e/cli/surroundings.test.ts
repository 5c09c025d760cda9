import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject, type Project } from './bench.ts'
import { alphabet, letterAnswers, letterRoadmap } from './letters.ts'
import { photograph } from './look-at-disk.ts'
import { startModel } from './model.ts'
import { checkBranches, outcomes, ownTree, play } from './scenario.ts'

const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(2) }

/** Every way we know in which a repository can have git run something, each leaving its mark. */
function plant({ path, root, git, put }: Project): void {
  const mark = (name: string) => `touch '${join(root, 'marks', name)}'`
  const hooks = [
    'post-checkout',
    'post-commit',
    'pre-commit',
    'reference-transaction',
    'post-index-change',
  ]
  for (const hook of hooks) {
    put(`.git/hooks/${hook}`, `#!/bin/sh\n${mark(hook)}\n`)
    chmodSync(join(path, '.git/hooks', hook), 0o755)
  }
  put('.git/marks.sh', `#!/bin/sh\n${mark('fsmonitor')}\n`)
  chmodSync(join(path, '.git/marks.sh'), 0o755)
  git('config', 'core.fsmonitor', join(path, '.git/marks.sh'))
  git('config', 'filter.mark.smudge', `${mark('smudge')}; cat`)
  git('config', 'filter.mark.clean', `${mark('clean')}; cat`)
  git('config', 'diff.external', mark('diff'))
}

describe.concurrent("the user's own repository", () => {
  it('has none of its hooks, monitors and filters run', async () => {
    using project = createProject({ ...files, '.gitattributes': '*.js filter=mark\n' })
    plant(project)
    project.put('../marks/none', '')
    await using model = await startModel(letterAnswers(2))
    const dirty = project.git('-c', 'core.fsmonitor=', 'status', '--porcelain')
    const own = [...photograph(project.path)].filter(([name]) => !/^\.(git|executor)\b/.test(name))
    const planted = () => readdirSync(join(project.root, 'marks')).filter((name) => name !== 'none')
    const before = planted()
    const { code, stderr } = await project.run(['run'], model.variables)
    expect(code, stderr).toBe(0)
    expect(planted()).toEqual(before)
    expect(project.branches()).toEqual(['agent/T-1', 'agent/T-2'])
    expect(dirty).toBe('')
    const now = [...photograph(project.path)].filter(([name]) => !/^\.(git|executor)\b/.test(name))
    expect(now).toEqual(own)
    // They are there: git by itself runs them.
    project.git('checkout', '--quiet', 'agent/T-2')
    expect(planted()).toEqual(expect.arrayContaining(['fsmonitor', 'post-checkout', 'smudge']))
  })

  it('may have uncommitted work, which is neither seen nor touched', async () => {
    await using played = await play({
      files: { ...files, '.gitignore': 'secrets/\n' },
      answers: letterAnswers(2),
      prepare({ put, git }) {
        put('src/start.js', 'this is not finished (')
        put('notes.txt', 'buy milk')
        put('secrets/key', 'hidden')
        put('src/staged.js', 'export const staged = 1\n')
        git('add', 'src/staged.js')
      },
    })
    const { project, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(result.stderr).toContain('uncommitted changes are not seen')
    for (const path of ['notes.txt', 'secrets/key', 'src/staged.js']) {
      expect(project.show('agent/T-2', path)).toBeNull()
    }
    expect(project.show('agent/T-2', 'src/start.js')).toBe(alphabet['src/start.js'])
    expect(project.show('agent/T-2', '.gitignore')).toBe('secrets/\n')
    expect(project.git('status', '--porcelain')).not.toContain('.executor')
  })

  it('may be a linked work tree on a branch of its own, and the run start inside a folder', async () => {
    using project = createProject(files)
    const linked = join(project.root, 'linked')
    project.git('worktree', 'add', '--quiet', '-b', 'feature', linked)
    project.put('../linked/src/more.js', 'export const more = 1\n')
    project.git('-C', linked, 'add', '--all')
    project.git('-C', linked, 'commit', '--quiet', '-m', 'more')
    const own = ownTree(project)
    await using model = await startModel(letterAnswers(2))
    // As in a hook of git's: these name another repository.
    const misleading = {
      GIT_DIR: '/nowhere',
      GIT_WORK_TREE: '/nowhere',
      GIT_INDEX_FILE: '/nowhere',
    }
    const { code, stderr } = await project.run(
      ['run'],
      { ...model.variables, ...misleading },
      { directory: join(linked, 'src') },
    )
    expect(code, stderr).toBe(0)
    expect(project.branches()).toEqual(['agent/T-1', 'agent/T-2'])
    expect(project.show('agent/T-2', 'src/more.js')).toBe('export const more = 1\n')
    expect(project.git('-C', linked, 'status', '--porcelain')).toBe('')
    expect(existsSync(join(linked, '.executor/report.json'))).toBe(true)
    expect(existsSync(join(project.path, '.executor'))).toBe(false)
    expect(ownTree(project)).toEqual(own)
  })
})

describe.concurrent('--checkout', () => {
  it('ends on the last branch', async () => {
    using project = createProject(files)
    await using model = await startModel(letterAnswers(2))
    const { code, stderr } = await project.run(['run', '--checkout'], model.variables)
    expect(code, stderr).toBe(0)
    expect(project.git('symbolic-ref', '--short', 'HEAD')).toBe('agent/T-2')
    expect(project.git('status', '--porcelain')).toBe('')
    expect(existsSync(join(project.path, 'src/b.js'))).toBe(true)
  })

  it('stays where it is when work could be lost, and says so', async () => {
    using project = createProject(files)
    project.put('src/start.js', 'unfinished')
    const own = ownTree(project)
    await using model = await startModel(letterAnswers(2))
    const { code, stderr } = await project.run(['run', '--checkout'], model.variables)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('--checkout: not switched: there are uncommitted changes')
    expect(ownTree(project)).toEqual(own)
  })
})

describe.concurrent('--json', () => {
  it('prints the report as one document and nothing else', async () => {
    await using played = await play({ files, answers: letterAnswers(2), args: ['--json'] })
    const { project, result } = played
    expect(result.code, result.stderr).toBe(0)
    // What is printed also counts the step that wrote the file.
    const printed = JSON.parse(result.stdout)
    const { nodes, durationSeconds, phases, ...others } = project.report()
    expect(printed).toMatchObject({ ...others })
    expect(printed.phases.length).toBeGreaterThanOrEqual(phases.length)
    expect(printed.nodes.slice(0, -1)).toEqual(nodes)
    expect(printed.durationSeconds).toBeGreaterThanOrEqual(durationSeconds)
    expect(Object.keys(project.report())).toEqual(
      expect.arrayContaining([
        ...['runId', 'startedAt', 'completedAt', 'durationSeconds', 'successRate', 'tasks'],
        ...['nodes', 'recoveries', 'roadmapChanges', 'errors', 'limits'],
      ]),
    )
    const [task] = project.report().tasks
    expect(Object.keys(task ?? {})).toEqual(
      expect.arrayContaining([
        ...['id', 'title', 'outcome', 'branch', 'pr', 'attempts', 'repairs', 'tokens', 'cost'],
        ...['seconds', 'receipt'],
      ]),
    )
    for (const { node, calls, tokens, share, seconds } of project.report().nodes) {
      expect([node, calls, tokens, share, seconds].map((each) => typeof each)).toEqual([
        'string',
        ...Array(4).fill('number'),
      ])
    }
    expect(result.stderr).not.toContain('{')
  })
})

describe.concurrent('settings', () => {
  it('come from flags before the environment before the file', async () => {
    await using played = await play({
      files: { ...files, '.github/executor.yml': 'model: of-the-file\nmax-tasks: 1\n' },
      answers: letterAnswers(2),
      args: ['--max-tasks', '2', '--log-level', 'error'],
    })
    const { project, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(outcomes(project)).toEqual({ 'T-1': 'done', 'T-2': 'done' })
    expect(result.stderr).not.toContain('asking')
  })

  it('switch a run off', async () => {
    using project = createProject(files)
    const { code, stderr } = await project.run(['run'], { EXECUTOR_DISABLED: 'true' })
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('Switched off')
    expect(project.branches()).toEqual([])
  })

  it('without tests: the work is there, and marked as unverified', async () => {
    await using played = await play({
      files: { 'README.md': '# A\n', 'ROADMAP.md': '- [ ] T-1: Add the letter a\n' },
      answers: { 'draft T-1': ['src/a.txt\n```\na\n```\n'] },
    })
    const { project, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(outcomes(project)).toEqual({ 'T-1': 'unverified' })
    const [tip] = project.log('main..agent/T-1')
    expect(tip?.trailers['Executor-Outcome']).toBe('unverified')
    checkBranches(project)
  })
})
