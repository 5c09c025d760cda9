import { expect, it } from 'vitest'
import { lastLines } from '../diagnose.ts'

it.each([
  [
    'npm',
    'npm error 404 not here\nnpm error 404\nnpm error A complete log of this run can be found in: /x',
  ],
  ['Maven', 'npm error 404 not here\n[ERROR] \n[ERROR] Re-run Maven using the -X switch'],
  [
    'Node',
    'npm error 404 not here\n    at run (/x/a.cjs:1:22)\n    at async Object.go (/x/a.cjs:2:3) {\n}\n\nNode.js v24.1.0',
  ],
])('the last lines of what %s says leave out what says nothing', (_, output) => {
  expect(lastLines(`first\n${output}`, 2)).toEqual(['first', 'npm error 404 not here'])
  expect(lastLines(output, 2)).toEqual(['npm error 404 not here'])
})
