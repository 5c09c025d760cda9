import { describe, expect, it } from 'vitest'
import { has, type Row, show, verifyProject } from './toolchain.ts'

const module = { 'go.mod': 'module example.com/shop\n\ngo 1.18\n' }
const sum = {
  'internal/sum/sum.go': 'package sum\n\nfunc Add(a, b int) int { return a + b }\n',
}
const sumTest = [
  'package sum',
  'import "testing"',
  'func TestAdd(t *testing.T) {',
  '\tif got := Add(1, 2); got != 3 {',
  '\t\tt.Errorf("got %d, want 3", got)',
  '\t}',
  '}',
  'func TestLater(t *testing.T) { t.Skip() }',
].join('\n')
const wrong = 'package sum\n\nfunc Add(a, b int) int { return a - b }\n'

const rows: readonly Row[] = [
  {
    name: 'passes',
    texts: { ...module, ...sum, 'internal/sum/sum_test.go': sumTest },
    shown: ['go test ./...: ended well, 1 + 0 + 1'],
  },
  {
    name: 'fails',
    texts: { ...module, 'internal/sum/sum.go': wrong, 'internal/sum/sum_test.go': sumTest },
    shown: [
      'go test ./...: ended badly, 0 + 1 + 1',
      'TestAdd | internal/sum/sum_test.go:5 | null | sum_test.go:5: got -1, want 3',
    ],
  },
  {
    name: 'does not build',
    texts: {
      ...module,
      'internal/sum/sum.go': 'package sum\n\nfunc Add(a, b int) int { return nothere }\n',
      'internal/sum/sum_test.go': sumTest,
    },
    shown: [
      'go test ./...: ended badly, unknown',
      expect.stringMatching(/ \| internal\/sum\/sum\.go:3 \| null \| undefined: nothere$/),
    ],
  },
  {
    name: 'imports a package that is not there',
    texts: {
      ...module,
      'a/a_test.go': 'package a\n\nimport _ "example.com/shop/nothere"\n',
    },
    shown: [
      'go test ./...: ended badly, unknown',
      expect.stringMatching(/ \| a\/a_test\.go:3 \| null \| .*example\.com\/shop\/nothere/),
    ],
  },
  {
    name: 'has no tests',
    texts: { ...module, 'a_test.go': 'package shop\n' },
    shown: ['go test ./...: ended well, 0 + 0 + 0'],
  },
  {
    name: 'panics',
    texts: {
      ...module,
      'a_test.go':
        'package shop\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tpanic("bad")\n}\n',
    },
    shown: [
      'go test ./...: ended badly, 0 + 1 + 0',
      expect.stringMatching(/^TestA \| a_test\.go:6 \| panic \| panic: bad/),
    ],
  },
  {
    name: 'has a module inside',
    texts: {
      'api/go.mod': 'module example.com/api\n',
      'api/internal/a_test.go':
        'package internal\n\nimport "testing"\n\nfunc TestA(t *testing.T) { t.Error("no") }\n',
    },
    shown: [
      'cd api && go test ./...: ended badly, 0 + 1 + 0',
      'TestA | api/internal/a_test.go:5 | null | a_test.go:5: no',
    ],
  },
]

describe.runIf(has('go'))('go', () => {
  it.each(rows)('that $name', { timeout: 120_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts))).toEqual(shown)
  })

  it('that hangs is stopped', { timeout: 120_000 }, async () => {
    const texts = {
      ...module,
      'a_test.go':
        'package shop\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestA(t *testing.T) { time.Sleep(time.Hour) }\n',
    }
    const [report] = await verifyProject(texts, { timeoutSeconds: 6 })
    expect(report).toMatchObject({ timedOut: true, exitCode: null })
  })
})
