import { expect, it, test } from 'vitest'
import { testsScope } from '../../gate/check-scope.ts'

const files = [
  ...[
    'index.js',
    'package.json',
    'src/price.ts',
    'src/index.ts',
    'src/tax.ts',
    'src/price.test.ts',
  ],
  ...['shop/__init__.py', 'shop/price.py', 'shop/tax.py', 'src/pkg/price.py', 'setup.py'],
  ...['pkg/price.go', 'pkg/tax.go', 'other/price.go', 'crate/src/lib.rs', 'crate/src/price.rs'],
  ...['main/lib.rs', 'app/src/main/java/x/Price.java', 'app/src/main/java/x/Tax.java'],
  ...['lib/shop/unit_price.rb', 'lib/shop/tax.rb', 'Shop/Price.cs', 'src/Price.php', 'src/price.c'],
]
const script = (from: string) => `import { price } from '${from}'\ntest('rounds', () => price(1))\n`
const python = (statement: string) =>
  `${statement}\n\ndef test_rounds():\n    assert price(1) == 1\n`
const go = 'package pkg\n\nfunc TestRounds(t *testing.T) {\n\tt.Error("no")\n}\n'
const java = 'class Money {\n  @Test\n  void rounds() { assertEquals(1, new Price().get()); }\n}\n'
const rust = (use: string) => `${use}\n\n#[test]\nfn rounds() {\n    assert_eq!(price(1), 1);\n}\n`
const ruby = "require 'shop/unit_price'\n\ndescribe Shop do\n  it 'rounds' do\n  end\nend\n"

const judge = (path: string, content: string, scope: readonly string[]) =>
  testsScope({ path, content }, scope, new Set([...files, path]))

test.each<[path: string, content: string, scope: string]>([
  ['test/money.test.js', script('../index.js'), 'index.js'],
  ['test/money.js', script('..'), 'index.js'],
  ['src/money.spec.ts', script('./price'), 'src/price.ts'],
  ['src/__tests__/money.tsx', script('../price.js'), 'src/price.ts'],
  ['test/money.test.ts', script('../src'), 'src/price.ts'],
  ['test/money.test.ts', script('../src/tax.js'), 'src/**/*.ts'],
  ['test/money.test.ts', script('../src/tax.js'), 'src/'],
  ['test/money.cjs', "const { price } = require('../src/price')\nsuite('a')\n", 'src/price.ts'],
  ['tests/test_money.py', python('from shop.price import price'), 'shop/price.py'],
  ['tests/test_money.py', python('from shop import price'), 'shop/price.py'],
  ['tests/test_money.py', python('import shop'), 'shop/price.py'],
  ['tests/test_money.py', python('from pkg.price import price'), 'src/pkg/price.py'],
  ['tests/utils/test_utils.py', python('from shop.price import price'), 'shop/price.py'],
  ['pkg/money_test.go', go, 'pkg/price.go'],
  ['pkg/money_test.go', go, 'pkg/*.go'],
  ['crate/tests/money.rs', rust('use shop::price;'), 'crate/src/price.rs'],
  ['crate/tests/money.rs', rust('use shop::all;'), 'crate/src/lib.rs'],
  ['app/src/test/java/x/MoneyTest.java', java, 'app/src/main/java/x/Price.java'],
  ['spec/shop/money_spec.rb', ruby, 'lib/shop/unit_price.rb'],
  ['Shop.Tests/MoneyTests.cs', '[Fact]\npublic void A() { new Price(); }\n', 'Shop/Price.cs'],
  ['tests/MoneyTest.php', '<?php\nfunction testA() { new Price(); }\n', 'src/Price.php'],
  ['tests/test_money.c', '#include "price.h"\nvoid test_rounds(void) {}\n', 'src/price.c'],
])('%s with %j is a test of %s', (path, content, scope) => {
  expect(judge(path, content, [scope])).toBe(true)
})

const hostile = script('../src/price')
test.each<[why: string, path: string, content: string, scope: string]>([
  ['tests another file', 'test/money.test.ts', script('../src/tax'), 'src/price.ts'],
  ['imports nothing', 'test/money.test.ts', "test('rounds', () => {})\n", 'src/price.ts'],
  ['imports a package', 'test/money.test.ts', script('price'), 'src/price.ts'],
  ['imports what is missing', 'test/money.test.ts', script('../src/none'), 'src/none.ts'],
  [
    'imports a test of the scope',
    'test/a.test.ts',
    script('../src/price.test'),
    'src/price.test.ts',
  ],
  ['imports a manifest', 'test/money.test.js', script('../package.json'), 'package.json'],
  ['has a manifest beside it', 'test.js', script('./index.js'), 'package.json'],
  ['says so in a comment', 'test/a.js', `// ${hostile.replace('\n', ';')}\n`, 'src/price.ts'],
  [
    'says so in a string',
    'test/a.js',
    `${script('../src/tax')}'from "../src/price"'\n`,
    'src/price.ts',
  ],
  [
    'declares no test',
    'test/all.js',
    "import '../src/price.js'\nprocess.exit(0)\n",
    'src/price.ts',
  ],
  ['declares one in a string', 'test/all.js', "import '../src/price'\n'test('\n", 'src/price.ts'],
  ['is no test by its name', 'src/money.ts', script('./price'), 'src/price.ts'],
  ['is no code', 'test/money.test.yml', hostile, 'src/price.ts'],
  ['is a library', 'vendor/test/money.test.ts', hostile, 'vendor/**'],
  ['is in a hidden folder', '.ci/test/a.test.ts', script('../../src/price'), 'src/price.ts'],
  ['is the set-up of jest', 'test/jest.setup.js', hostile, 'src/price.ts'],
  ['is the settings of jest', 'test/jest.config.test.js', hostile, 'src/price.ts'],
  ['is set-up', 'src/setupTests.ts', script('./price'), 'src/price.ts'],
  ['is set-up', 'test/global-setup.test.ts', hostile, 'src/price.ts'],
  ['is a set-up file', 'test/support/e2e.js', script('../../src/price'), 'src/price.ts'],
  ['is a mock', 'test/__mocks__/fs.js', script('../../src/price'), 'src/price.ts'],
  ['is the settings of babel', 'test/babel.config.js', hostile, 'src/price.ts'],
  ['is set-up', 'tests/conftest.py', python('from shop.price import price'), 'shop/price.py'],
  ['makes a package', 'tests/__init__.py', python('from shop.price import price'), 'shop/price.py'],
  ['runs at the start', 'tests/sitecustomize.py', python('import shop'), 'shop/price.py'],
  ['is a build script', 'crate/tests/build.rs', rust('use shop::price;'), 'crate/src/price.rs'],
  ['is a build script', 'test/build.gradle.kts', `${java}Price`, 'app/src/main/java/x/Price.java'],
  ['is loaded by others', 'test/test_helper.rb', ruby, 'lib/shop/unit_price.rb'],
  ['is loaded by others', 'spec/spec_helper.rb', ruby, 'lib/shop/unit_price.rb'],
  [
    'is a parent of others',
    'tests/TestCase.php',
    'function testA() { new Price(); }',
    'src/Price.php',
  ],
  ['is of another package', 'other/money_test.go', go, 'pkg/price.go'],
  ['is of another crate', 'main/tests/money.rs', rust('use shop::price;'), 'crate/src/price.rs'],
  [
    'is of another module',
    'web/src/test/java/x/MoneyTest.java',
    java,
    'app/src/main/java/x/Price.java',
  ],
  ['names another file', 'spec/shop/money_spec.rb', ruby, 'lib/shop/tax.rb'],
  ['has no code to test', 'test/money.test.ts', hostile, 'docs/**'],
])('a file that %s is none: %s', (_, path, content, scope) => {
  expect(judge(path, content, [scope])).toBe(false)
})

it('sees a file that the change itself creates', () => {
  const change = { path: 'test/money.test.ts', content: script('../src/new') }
  const paths = new Set([change.path, 'src/new.ts'])
  expect(testsScope(change, ['src/new.ts'], paths)).toBe(true)
})
