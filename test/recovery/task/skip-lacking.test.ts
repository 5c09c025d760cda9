import { expect, it } from 'vitest'
import type { Diagnosis } from '../../../src/core/domain/diagnosis.ts'
import type { Task } from '../../../src/core/domain/task.ts'
import { skipLacking } from '../../../src/recovery/task/skip-lacking.ts'
import { aTask } from '../../fakes/facts.ts'

const yaml: Diagnosis = {
  ...{ kind: 'set-up', message: "The package 'yaml' is not installed.", file: null, line: null },
  ...{ lacks: 'yaml', language: 'python', install: 'pip install pyyaml' },
}
const skipped = (task: Partial<Task>, cause: Diagnosis | undefined = yaml) =>
  skipLacking({ results: {}, only: null }, cause, [aTask({ id: 'T-2', ...task })])['T-2']

it('skips, unpaid, a task that names the package of which the last verdict says that it lacks', () => {
  expect(skipped({ title: 'Read the settings with `yaml`' })).toMatchObject({
    ...{ verdict: 'skipped', attempts: 0, thisRun: true, diagnosis: yaml },
    reason: "The package 'yaml' is not installed. Install it: pip install pyyaml",
  })
})

it.each<[string, Partial<Task>]>([
  ['in code', { title: 'Read it', details: 'Use `yaml.safe_load(text)`' }],
  ['by an import', { title: 'Read it', details: '`import yaml`' }],
  ['as a package', { title: 'Use the package yaml for it' }],
  ['by the name it is installed by', { title: 'Read it with `pyyaml`' }],
])('a task names it %s', (_, task) => expect(skipped(task)).toBeDefined())

it.each<[string, Partial<Task>, Diagnosis | undefined]>([
  ['another task', { title: 'Add a page' }, yaml],
  ['a word that is a name, too', { title: 'Handle yaml well' }, yaml],
  ['a file of that name', { title: 'Write `src/yaml.py`' }, yaml],
  ['the task that brings it', { title: 'Install `yaml`' }, yaml],
  ['one that writes what is to be installed', { title: 'Use `yaml`', files: ['go.mod'] }, yaml],
  ['any task where a program lacks', { title: 'Use `yaml`' }, { ...yaml, language: undefined }],
  ['any task where nothing lacks', { title: 'Use `yaml`' }, undefined],
])('leaves %s to be tried', (_, task, cause) => {
  const order = [aTask({ id: 'T-2', ...task })]
  expect(skipLacking({ results: {}, only: null }, cause, order)).toEqual({})
})
