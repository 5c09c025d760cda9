import { expect, it } from 'vitest'
import type { Failure, FailureReason } from '../../src/domain/run-state.ts'
import { classifyByPattern } from '../../src/recovery/classify-by-pattern.ts'
import { aTask } from '../fakes/facts.ts'

const others = [
  aTask({ id: 'T-2', title: 'Create `src/user.js`' }),
  aTask({ id: 'T-3', title: 'Create the package', files: ['src/shop/cart.py'] }),
  aTask({ id: 'T-4', title: 'Create `src/late.js`', status: 'done' }),
]
const paths = new Set(['src/index.js', 'src/shop/__init__.py', 'package.json'])

const classify = (facts: Partial<Failure>, files = paths) =>
  classifyByPattern({
    failure: { at: 'repairs_spent', message: '', problems: [], failures: [], output: '', ...facts },
    others,
    paths: files,
  })

it.each<[string, Partial<Failure>, FailureReason, RegExp]>([
  [
    'a context that is too large',
    { at: 'too_large', message: 'a.js alone takes 9 tokens' },
    'task_too_complex',
    /a\.js alone/,
  ],
  [
    'a local module of a later task (JavaScript)',
    { output: "Cannot find module './user' from 'src/index.js'" },
    'missing_dependency',
    /'\.\/user', which T-2 will bring/,
  ],
  [
    'a local module of a later task (Python)',
    { output: "ModuleNotFoundError: No module named 'src.shop.cart'" },
    'missing_dependency',
    /T-3 will bring/,
  ],
  [
    'a package that is not installed (JavaScript)',
    { output: "Error: Cannot find module 'left-pad'" },
    'environment_issue',
    /npm install left-pad/,
  ],
  [
    'a package that is not installed (Python)',
    { output: "ModuleNotFoundError: No module named 'yaml'" },
    'environment_issue',
    /pip install pyyaml/,
  ],
  [
    'a missing command',
    { output: 'ok\nbash: cargo: command not found\n' },
    'environment_issue',
    /^bash: cargo: command not found$/,
  ],
  [
    'a service that does not answer',
    { output: 'Error: connect ECONNREFUSED 127.0.0.1:5432' },
    'environment_issue',
    /5432/,
  ],
  ['a full disk', { output: 'write ENOSPC' }, 'environment_issue', /ENOSPC/],
  [
    'a model that asks back',
    { output: 'Sure.\nCould you clarify which page you mean?' },
    'task_too_vague',
    /which page you mean/,
  ],
])('%s leaves no doubt', (_, facts, reason, explanation) => {
  expect(classify(facts)).toMatchObject({
    reason,
    explanation: expect.stringMatching(explanation),
    by: 'pattern',
  })
})

it.each<[string, Partial<Failure>]>([
  ['an ordinary failure', { message: 'expected 1 to be 2', output: 'not ok 1 - adds' }],
  ['a local module nobody brings', { output: "Cannot find module './nobody' from 'src/index.js'" }],
  [
    'a local module of a task that is done',
    { output: "Cannot find module './late' from 'src/index.js'" },
  ],
  ['a question in the output of tests', { at: 'failed', output: 'could you clarify' }],
])('%s is left to somebody else', (_, facts) => {
  expect(classify(facts)).toBeNull()
})

it('names the package manager of the project', () => {
  const files = new Set([...paths, 'pnpm-lock.yaml'])
  const found = classify({ output: "Cannot find module 'left-pad'" }, files)
  expect(found?.installCommand).toBe('pnpm add left-pad')
})

it('keeps a hostile line short', () => {
  const found = classify({ output: `command not found ${'x'.repeat(10_000)}` })
  expect(found?.explanation.length).toBeLessThanOrEqual(300)
})
