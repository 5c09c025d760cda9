import { expect, it } from 'vitest'
import { describeRoadmap, readRoadmap } from '../../document/read-roadmap.ts'

it('describes tasks and problems under exactly the promised keys', () => {
  const text =
    '# Plan\n- [ ] T-1 Add it (depends on T-2)\n  - Budget: $1\n  - Model: m\n  - Priority: high\n  - Verify: `t`\n  - [x] part'
  const described = describeRoadmap(readRoadmap(text))
  expect(JSON.parse(JSON.stringify(described))).toEqual({
    tasks: [
      {
        id: 'T-1',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        title: 'Add it',
        details: '- Budget: $1\n- Model: m\n- Priority: high\n- Verify: `t`\n- [x] part',
        status: 'pending',
        line: 2,
        endLine: 7,
        headings: ['Plan'],
        phase: null,
        section: null,
        files: [],
        dependsOn: [],
        accept: [],
        subtasks: [{ title: 'part', status: 'done', line: 7 }],
        budget: { tokens: null, dollars: 1 },
      },
    ],
    problems: [
      {
        rule: 'unknown-dependency',
        severity: 'error',
        line: 2,
        column: 1,
        message: expect.stringContaining('"T-2"'),
        fix: expect.stringMatching(/^Name an id/),
      },
    ],
  })
})
