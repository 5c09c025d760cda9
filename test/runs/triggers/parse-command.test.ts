import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CommentCommand,
  commandNames,
  parseCommand,
} from '../../../src/runs/triggers/parse-command.ts'

const sha = 'abcdef0123456789abcdef0123456789abcdef01'
const approve: CommentCommand = { name: 'approve', sha: null }

const understood: readonly (readonly [string, CommentCommand])[] = [
  ['/approve', approve],
  ['/APPROVE', approve],
  ['/Approve', approve],
  ['/approve  ', approve],
  ['/approve\t', approve],
  ['/approve\r\n', approve],
  ['/approve\r', approve],
  ['   /approve', approve],
  ['\n\n/approve', approve],
  [' \r\n\t\r\n/approve', approve],
  ['/approve\n\nThank you!', approve],
  ['/approve\n/reject', approve],
  ['/approve\n> /reject', approve],
  [`/approve ${sha}`, { name: 'approve', sha }],
  [`/approve ${sha.toUpperCase()}`, { name: 'approve', sha }],
  ['/approve abcdef0', { name: 'approve', sha: 'abcdef0' }],
  ['/approve a', { name: 'approve', sha: 'a' }],
  ['/approve \t abcdef0 \t', { name: 'approve', sha: 'abcdef0' }],
  ['/decompose', { name: 'decompose' }],
  ['/decompose, please'.replace(',', ''), { name: 'decompose' }],
  ['/defer until the holidays', { name: 'defer' }],
  ['/skip', { name: 'skip', id: null }],
  ['/retry', { name: 'retry', id: null }],
  ['/reject because it is wrong', { name: 'reject' }],
  ['/cancel', { name: 'cancel' }],
  ['/rollback', { name: 'rollback', withDependents: false }],
  ['/rollback with-dependents', { name: 'rollback', withDependents: true }],
  ['/status', { name: 'status' }],
  ['/help', { name: 'help' }],
  ['/rewrite', { name: 'rewrite', text: '' }],
  ['/rewrite name the file', { name: 'rewrite', text: 'name the file' }],
  [
    '/revise call it `total`\r\nand test it',
    { name: 'revise', text: 'call it `total`\nand test it' },
  ],
  ['/revise\n\nUse a map.\n', { name: 'revise', text: 'Use a map.' }],
  ['/edit\n- [ ] One\n- [ ] Two\n', { name: 'edit', list: '- [ ] One\n- [ ] Two' }],
  ['/edit\r\n\r\n- [ ] One\r\n  more\r\n', { name: 'edit', list: '- [ ] One\n  more' }],
  ['/edit', { name: 'edit', list: '' }],
  ['/allow package-lock.json', { name: 'allow', path: 'package-lock.json' }],
  ['/allow `my file.md`', { name: 'allow', path: 'my file.md' }],
  ['/allow ../x', { name: 'allow', path: '../x' }],
  ['/run', { name: 'run', id: null }],
  ['/run T-1.2', { name: 'run', id: 'T-1.2' }],
]

const malformed: readonly (readonly [string, string])[] = [
  [`/approve ${sha}0`, 'approve'],
  ['/approve this', 'approve'],
  [`/approve ${sha} now`, 'approve'],
  ['/approve \u200b', 'approve'],
  [`/approve ${sha.replace('a', '\u0430')}`, 'approve'],
  ['/run all of it', 'run'],
  ['/run T-../x', 'run'],
  ['/run --upload-pack=x', 'run'],
  ['/allow', 'allow'],
  ['/rollback T-2', 'rollback'],
]

const prose: readonly string[] = [
  '',
  ' ',
  '\n',
  'approve',
  'I would /approve',
  'Fine.\n/approve',
  'Fine.\n\n/approve',
  '> /approve',
  '>/approve',
  '\n> /approve',
  '```\n/approve\n```',
  '~~~\n/approve\n~~~',
  '`/approve`',
  '``/approve``',
  '    /approve',
  '\t/approve',
  '  \t/approve',
  '\n    /approve',
  '- /approve',
  '* /approve',
  '1. /approve',
  '# /approve',
  '| /approve |',
  '**/approve**',
  '\\/approve',
  '//approve',
  '/ approve',
  '/approve/',
  '/approve.',
  '/approve,',
  '/approve!',
  '/approve:',
  '/approve?',
  '/approved',
  '/approves',
  '/approval',
  '/approving',
  '/rejected',
  '/running',
  '/skipped',
  '/retried',
  '/approve\u200b',
  '/app\u200brove',
  '\u200b/approve',
  '\ufeff/approve',
  '/approve\u2060',
  '\u202e/approve',
  '/\u202eapprove',
  '/approve\u202c',
  '\u2066/approve\u2069',
  '/\u0430pprove',
  '/appr\u043eve',
  '/\uff41pprove',
  '\uff0fapprove',
  '\u2044approve',
  '\u2215approve',
  '\u29f8approve',
  '/approve\u00a0',
  '\u00a0/approve',
  '/approve\u2028/reject',
  '/approve\u0000',
  '/approve\u0301',
  '/s\u212aip',
  '/\u017fkip',
  '<!-- -->/approve',
  '<!--\n/approve\n-->',
  '<details>\n/approve\n</details>',
  '<b>/approve</b>',
  '&#47;approve',
  '[/approve](x)',
  '@bot /approve',
  'x'.repeat(2_000),
  `${'\n'.repeat(2_000)}/approve`,
  '/etc/passwd is readable',
  '/etc',
  '/usr',
  '/usr/bin/env',
  '/tmp is full',
  '/api/v1 answers 404',
  ...[
    '/lgtm',
    '/lgtm thanks',
    '/Merge',
    '/cc @ada',
    '/rebase',
    '/retest',
    '/remove-kind bug',
    '/azp run',
  ],
  '/x',
  '/1',
  '/-',
  `/${'a'.repeat(200)}`,
]

describe('parseCommand', () => {
  it.each(understood)('understands %j', (body, command) => {
    expect(parseCommand(body)).toEqual(command)
  })

  it.each(malformed)('says what is wrong with %j', (body, of) => {
    expect(parseCommand(body)).toMatchObject({ name: 'malformed', of })
  })

  it.each(prose)('sees no command in %j', (body) => {
    expect(parseCommand(body)).toBeNull()
  })

  it.each([
    '/aprove',
    `/aprove ${sha}`,
    '/retyr',
    '/re-run\r\n\r\nplease',
    '/foo',
    '/frobnicate now',
  ])('knows that %j was meant as a command', (body) => {
    expect(parseCommand(body)).toMatchObject({ name: 'unknown' })
  })

  it('finds the command of any body that begins with one, and of no body that quotes it', () => {
    const name = fc.constantFrom(...commandNames)
    fc.assert(
      fc.property(name, fc.string({ unit: 'grapheme' }), (command, text) => {
        expect(parseCommand(`/${command}\n${text}`)).not.toBeNull()
        expect(parseCommand(`> /${command}\n${text}`)).toBeNull()
        expect(parseCommand(`x /${command}\n${text}`)).toBeNull()
      }),
    )
  })

  it('takes linear time', () => {
    for (const part of [' ', '\n', '\r\n', '/', '/a', ' \t', '\n /']) {
      expect(() => parseCommand(part.repeat(300_000))).not.toThrow()
    }
  })
})
