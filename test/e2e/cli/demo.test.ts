import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { createProject } from './bench.ts'

it('shows five tasks from the roadmap to their pull requests, with no key and no network', async () => {
  using project = createProject({ 'README.md': 'Nothing to do here.\n' })
  const { code, stdout, stderr } = await project.run(['demo'], { OPENAI_API_KEY: '' })
  expect(code, stderr).toBe(0)
  const said = stdout + stderr
  expect(said).toContain('5 pull requests to review (')
  expect(said).toMatch(/`scripted-model` · \d requests? · /)
  expect(said).not.toContain('***')
  expect(project.git('status', '--porcelain', '--ignored')).toBe('')
})

it('keeps a checkout in which git shows what was done', async () => {
  using project = createProject({ 'README.md': 'Nothing to do here.\n' })
  const { stdout, stderr } = await project.run(['demo', '--keep'])
  const [, checkout = ''] = /^Checkout: (\S+) /m.exec(stdout + stderr) ?? []
  try {
    const git = (...args: readonly string[]) =>
      execFileSync('git', args, { cwd: checkout, encoding: 'utf8' })
    expect(git('status', '--porcelain')).toBe('')
    expect(git('diff', '--stat', 'main', 'origin/agent/T-101')).toContain('src/format-price.js')
  } finally {
    rmSync(dirname(checkout), { recursive: true, force: true })
  }
})
