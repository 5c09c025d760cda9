import { describe, expect, it } from 'vitest'
import { has, type Row, show, verifyProject } from './toolchain.ts'

const sum = (add: string) => ({
  'src/Sum.php': `<?php\nclass Sum { static function add(int $a, int $b): int { return ${add}; } }\n`,
})
const test = {
  'tests/SumTest.php': [
    '<?php',
    "require_once __DIR__ . '/../src/Sum.php';",
    'final class SumTest extends PHPUnit\\Framework\\TestCase {',
    '  public function testAdds(): void {',
    '    $this->assertSame(3, Sum::add(1, 2));',
    '  }',
    "  public function testLater(): void { $this->markTestSkipped('later'); }",
    '}',
  ].join('\n'),
}

const rows: readonly Row[] = [
  {
    name: 'passes',
    texts: { ...sum('$a + $b'), ...test },
    shown: ['phpunit tests: ended well, 1 + 0 + 1'],
  },
  {
    name: 'fails',
    texts: { ...sum('$a - $b'), ...test },
    shown: [
      'phpunit tests: ended badly, 0 + 1 + 1',
      'SumTest > testAdds | tests/SumTest.php:5 | ExpectationFailedException | Failed asserting that -1 is identical to 3.',
    ],
  },
  {
    name: 'cannot be parsed',
    texts: { ...sum('$a +'), ...test },
    shown: [
      'phpunit tests: ended badly, unknown',
      expect.stringMatching(/^src\/Sum\.php \| src\/Sum\.php:2 \| ParseError \| syntax error/),
    ],
  },
  {
    name: 'lacks a file',
    texts: { ...test },
    shown: [
      'phpunit tests: ended badly, unknown',
      expect.stringMatching(
        /^tests\/SumTest\.php \| tests\/SumTest\.php:2 \| \w*Error \| .*src\/Sum\.php/,
      ),
    ],
  },
  {
    name: 'has no tests',
    texts: {
      'phpunit.xml':
        '<phpunit><testsuites><testsuite name="a"><directory>tests</directory></testsuite></testsuites></phpunit>',
      'tests/ATest.php': '<?php final class ATest extends PHPUnit\\Framework\\TestCase {}\n',
    },
    shown: ['phpunit: ended well, 0 + 0 + 0'],
  },
]

describe.runIf(has('phpunit', 'php'))('phpunit', () => {
  it.each(rows)('that $name', { timeout: 60_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts))).toEqual(shown)
  })

  it('that hangs is stopped', { timeout: 60_000 }, async () => {
    const texts = { 'tests/ATest.php': '<?php sleep(3600);\n' }
    const [report] = await verifyProject(texts, { timeoutSeconds: 2 })
    expect(report).toMatchObject({ timedOut: true, exitCode: null })
  })
})
