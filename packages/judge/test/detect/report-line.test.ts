import { expect, it } from 'vitest'
import { runOnce } from '../../detect/report-line.ts'

it.each([
  ['node --test --watch', 'node --test'],
  ['node --watch --test test/', 'node --test test/'],
  ['node --test --watch-path=src --watch-preserve-output', 'node --test'],
  ['node --watch-path src --test', 'node --test'],
  ['jest --watch', 'jest'],
  ['jest --watchAll=true --ci', 'jest --ci'],
  ['jest --watch-all', 'jest'],
  ['vitest --watch', 'vitest'],
  ['vitest watch src', 'vitest run src'],
  ['npx vitest dev', 'npx vitest run'],
  ['vitest -w', 'vitest'],
  ['node_modules/.bin/mocha -w test', 'node_modules/.bin/mocha test'],
  ['ava -w', 'ava'],
  ['tsc -w -p .', 'tsc -p .'],
  ['ng test', 'ng test --watch=false'],
  ['karma start karma.conf.js', 'karma start karma.conf.js --single-run'],
])('%s ends as %s', (line, once) => {
  expect(runOnce(line)).toBe(once)
})

it.each([
  'node --test',
  'jest -w 4',
  'jest --watchAll=false',
  'jest --watch=false',
  'jest --watch false',
  'jest --watchman=false',
  'jest --no-watch',
  'vitest run test/watch',
  'vitest run --watch-mode',
  'mocha test/--watch.js',
  'ng test --watch=false',
  'ng test --no-watch',
  'karma start --no-single-run',
  'node watch.js',
])('%s is left as it is', (line) => {
  expect(runOnce(line)).toBe(line)
})
