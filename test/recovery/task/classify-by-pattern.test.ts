import { expect, it } from 'vitest'
import type { Failure, FailureReason } from '../../../src/core/domain/attempt.ts'
import { classifyByPattern } from '../../../src/recovery/task/classify-by-pattern.ts'
import { aTask } from '../../fakes/facts.ts'

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
    /^bash: cargo: command not found\. Install it: apt-get install cargo$/,
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
  [
    'a header of the project that nobody brings',
    {
      output: 'a.c:1:10: fatal error: none.h: No such file or directory\n    1 | #include "none.h"',
    },
  ],
  ['an ordinary failure', { message: 'expected 1 to be 2', output: 'not ok 1 - adds' }],
  [
    'a module of a folder of the project, which the answer made up',
    { message: "src/a.py:1 No module named 'src.none': there is no such file." },
  ],
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

const supplied = (path: string) => [aTask({ id: 'T-9', title: `Create \`${path}\`` })]

it.each([
  ['Python at the root', "ModuleNotFoundError: No module named 'cart'", 'cart.py'],
  ['Python in src', "No module named 'shop.cart'", 'src/shop/cart.py'],
  ['TypeScript', "src/a.ts(3,5): error TS2307: Cannot find module './cart'", 'src/cart.ts'],
  ['Go', 'no required module provides package example.com/shop/cart; to add it:', 'cart/cart.go'],
  ['Rust', 'error[E0583]: file not found for module `cart`', 'src/cart.rs'],
  ['Rust by name', 'error[E0432]: unresolved import `cart`', 'src/cart/mod.rs'],
  ['Java', 'package com.acme.cart does not exist', 'src/main/java/com/acme/cart/Cart.java'],
  ['Ruby', 'cannot load such file -- cart (LoadError)', 'lib/cart.rb'],
  ['Ruby beside it', 'cannot load such file -- ./lib/shop/cart', 'lib/shop/cart.rb'],
  ['PHP', 'Error: Class "Acme\\Shop\\Cart" not found', 'src/Shop/Cart.php'],
  ['C#', "error CS0246: The type or namespace name 'Cart' could not be found", 'src/Cart.cs'],
  [
    'Kotlin',
    "e: file:///x/src/main/kotlin/App.kt:3:18 Unresolved reference 'Cart'.",
    'src/main/kotlin/Cart.kt',
  ],
  ['Kotlin, as it was', 'e: src/App.kt:3:18: error: unresolved reference: Cart', 'src/Cart.kt'],
  [
    'C',
    'src/main.c:1:10: fatal error: cart.h: No such file or directory\n    1 | #include "cart.h"',
    'src/cart.h',
  ],
  [
    'C++ by clang',
    'src/main.cpp:1:10: fatal error: \'shop/cart.hpp\' file not found\n#include "shop/cart.hpp"',
    'src/shop/cart.hpp',
  ],
])('a module that another task brings is worth waiting for: %s', (_, output, path) => {
  const failure: Failure = { at: 'repairs_spent', message: '', problems: [], failures: [], output }
  const found = classifyByPattern({ failure, others: supplied(path), paths: new Set() })
  expect(found).toMatchObject({ reason: 'missing_dependency', suppliedBy: ['T-9'] })
})

it('waits for all that bring what the change imports', () => {
  const output = "Cannot find module './user'"
  const failure: Failure = { at: 'repairs_spent', message: '', problems: [], failures: [], output }
  const more = aTask({ id: 'T-5', title: 'Create `src/cart.js`' })
  const awaited = ['src/user.js', 'src/cart.js', 'src/late.js']
  const facts = { failure, others: [...others, more], paths: new Set<string>(), awaited }
  expect(classifyByPattern(facts)).toMatchObject({ suppliedBy: ['T-2', 'T-5'] })
})

it.each([
  ['Python', "No module named 'redis'", 'cache/redis.py', 'pip install redis'],
  ['Python, of another language', "No module named 'yaml'", 'src/yaml.js', 'pip install pyyaml'],
  ['JavaScript', "Cannot find package 'cart'", 'src/cart.js', 'npm install cart'],
  [
    'Go',
    'no required module provides package github.com/x/y',
    'pkg/z/z.go',
    'go get github.com/x/y',
  ],
  ['Rust', 'unresolved import `serde`', 'src/cart.rs', 'cargo add serde'],
  ['Ruby', 'cannot load such file -- nokogiri', 'lib/cart.rb', 'gem install nokogiri'],
  [
    'PHP',
    'Class "GuzzleHttp\\Client" not found',
    'src/Http.php',
    'composer require guzzlehttp/guzzle',
  ],
  [
    'C',
    'main.c:1:10: fatal error: curl/curl.h: No such file or directory\n    1 | #include <curl/curl.h>',
    'src/cart.c',
    null,
  ],
  ['C, when it is linked', '/usr/bin/ld: cannot find -lz: No such file or directory', 'a.c', null],
  [
    'CMake',
    'Could not find a package configuration file provided by "fmt" with any of',
    'a.cpp',
    null,
  ],
])('a package stays a package: %s', (_, output, path, installCommand) => {
  const failure: Failure = { at: 'repairs_spent', message: '', problems: [], failures: [], output }
  const found = classifyByPattern({ failure, others: supplied(path), paths: new Set() })
  expect(found).toMatchObject({ reason: 'environment_issue', installCommand })
})
