import { describe, expect, it } from 'vitest'
import { surveyRepository } from '../../../src/entry/init/survey-repository.ts'
import { someSettings } from '../../fakes/facts.ts'

const look = (files: Readonly<Record<string, string>>) =>
  surveyRepository(
    Object.keys(files),
    async (paths) =>
      new Map(paths.flatMap((path) => (path in files ? [[path, files[path] ?? '']] : []))),
    someSettings(),
  )

describe('what init finds', () => {
  it('is the language, the tests, and the workflows that check pull requests', async () => {
    const found = await look({
      'go.mod': 'module x\n',
      'a.go': 'package x\n',
      'a_test.go': 'package x\n',
      '.github/workflows/test.yml': 'name: "Unit tests" # all\non: [push, pull_request]\n',
      '.github/workflows/nameless.yaml': 'on:\n  pull_request:\n',
      '.github/workflows/release.yml': 'name: Release\non: push\n',
      '.github/workflows/executor.yml': 'name: Ours\non: pull_request\n',
      '.gitlab-ci.yml': 'x: y\n',
    })
    expect(found).toMatchObject({
      language: { id: 'go', files: 2 },
      tests: ['go test ./...'],
      workflows: ['.github/workflows/nameless.yaml', 'Unit tests'],
      roadmap: null,
    })
    expect(found.ci).toHaveLength(4)
  })

  it.each<[string, Readonly<Record<string, string>>, object | null]>([
    [
      'a list under another name',
      { 'docs/TODO.md': '- [ ] A\n- [x] B\n' },
      { path: 'docs/TODO.md', open: 1, tasks: 2 },
    ],
    [
      'the roadmap before another list',
      { 'ROADMAP.md': '- [ ] A\n', 'TODO.md': '- [ ] B\n' },
      { path: 'ROADMAP.md', open: 1, tasks: 1 },
    ],
    [
      'a roadmap of prose',
      { 'ROADMAP.md': 'Some day.\n' },
      { path: 'ROADMAP.md', open: 0, tasks: 0 },
    ],
    [
      'a list before prose',
      { 'PLAN.md': 'Some day.\n', 'TODO.md': '- [ ] B\n' },
      { path: 'TODO.md' },
    ],
    ['no list', { 'PLAN.md': 'Some day.\n', 'src/todo.ts': '- [ ] B\n' }, null],
  ])('is a roadmap: %s', async (_, files, expected) => {
    const { roadmap } = await look(files)
    if (expected === null) expect(roadmap).toBeNull()
    else expect(roadmap).toMatchObject(expected)
  })
})
