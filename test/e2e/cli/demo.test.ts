import { expect, it } from 'vitest'
import { createProject } from './bench.ts'

it('shows five tasks from the roadmap to their pull requests, with no key and no network', async () => {
  using project = createProject({ 'README.md': 'Nothing to do here.\n' })
  const { code, stdout, stderr } = await project.run(['demo'], { OPENAI_API_KEY: '' })
  expect(code, stderr).toBe(0)
  const said = stdout + stderr
  expect(said).toContain('5 of 5 done')
  expect(said).toMatch(/`scripted-model` · \d requests? · /)
  expect(said).not.toContain('***')
  expect(project.git('status', '--porcelain', '--ignored')).toBe('')
})
