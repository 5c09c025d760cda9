import { expect, test } from 'vitest'
import { inScope } from '../../gate/check-scope.ts'

test.each([
  ['anything.js', []],
  ['src/a.js', ['src/a.js']],
  ['src/a.js', ['./src/a.js']],
  ['src/auth/deep/a.ts', ['src/auth/**']],
  ['src/auth/.hidden', ['src/auth/*']],
  ['src/auth/a.ts', ['src/auth/']],
  ['src/auth/a.ts', ['src/auth']],
  ['app/[id]/page.tsx', ['app/[id]/page.tsx']],
  ['src/a.test.js', ['src/a.js']],
  ['src/__tests__/a.js', ['src/a.js']],
  ['test/a.test.js', ['src/a.js']],
  ['test/unit/a_spec.rb', ['lib/a.rb']],
  ['tests/test_parser.py', ['src/pkg/parser.py']],
  ['pkg/a_test.go', ['pkg/a.go']],
  ['src/test/java/x/UserTest.java', ['src/main/java/x/User.java']],
  ['App.Tests/UserTests.cs', ['App/User.cs']],
  ['test/auth/login.test.ts', ['src/auth/*.ts']],
  ['src/test/java/x/UserTest.java', ['src/main/java/x/*.java']],
  ['test/auth/index.test.ts', ['src/auth/index.ts']],
  ['src/auth/index.test.ts', ['src/auth/index.ts']],
  ['test.js', ['index.js']],
  ['test.py', ['slugify/slugify.py']],
  ['shop/tests.py', ['shop/models.py']],
])('%s is in %j', (path, scope) => {
  expect(inScope(path, scope)).toBe(true)
})

test.each([
  ['src/b.js', ['src/a.js']],
  ['src/a.ts', ['src/a.js']],
  ['lib/a.js', ['src/a.js']],
  ['src/authx/a.ts', ['src/auth']],
  ['SRC/a.js', ['src/a.js']],
  ['test/b.test.js', ['src/a.js']],
  ['test/setup.js', ['src/a.js']],
  ['test/other/index.test.ts', ['src/auth/index.ts']],
  ['test/billing/login.test.ts', ['src/auth/*.ts']],
  ['src/contest.js', ['src/con.js']],
  ['src/latest.js', ['src/la.js']],
  ['shop/tests.py', ['cart/models.py', 'shop.py']],
  ['test.yml', ['index.js']],
  ['latest.js', ['index.js']],
  ['src/anything.js', ['!src/secret.js']],
  ['src/a.js', ['  ']],
])('%s is not in %j', (path, scope) => {
  expect(inScope(path, scope)).toBe(false)
})
