import { describe, expect, it } from 'vitest'
import type { Overtaken, Side } from '../../../src/core/domain/overtaken.ts'
import { buildReport } from '../../../src/publish/report/build-report.ts'
import { describeOvertaken, writeOvertaken } from '../../../src/publish/report/write-overtaken.ts'
import { writeReportHtml } from '../../../src/publish/report/write-report-html.ts'
import { writeReportMarkdown } from '../../../src/publish/report/write-report-markdown.ts'
import { sampleResult, sampleState } from '../../contracts/run-state.ts'
import { aCommand, actedOn, hostileTexts, htmlOf, turned, wordsOf } from './hostile.ts'

const ours = 'a'.repeat(40)
const theirs = 'b'.repeat(40)
const ref = 'refs/executor/kept/T-1/aaaaaaa'

const sideOf = (sha: string | null, facts: Partial<Side> = {}): Side => ({
  ...{ sha, moreCommits: 0, moreFiles: 0 },
  commits: [{ sha: sha ?? '', author: 'Ada', title: 'Fix the sum' }],
  files: [{ path: 'src/sum.js', from: 'src/sum.js', added: 3, removed: 1 }],
  ...facts,
})

const met = (facts: Partial<Overtaken> = {}): Overtaken => ({
  ...{ task: 'T-1', forge: 'github', branch: 'agent/T-1', ref, merge: 'clean', conflicts: [] },
  ...{ ours: sideOf(ours), theirs: sideOf(theirs), picks: 1, mainline: 0 },
  ...facts,
})

describe('the text about two changes', () => {
  it.each<[string, Partial<Overtaken>, readonly string[]]>([
    [
      'who, which commits, which files',
      {},
      [
        '**Theirs**, `bbbbbbb`: 1 commit, +3 −1 in 1 file\n- `bbbbbbb` Fix the sum (Ada)\n- `src/sum.js` +3 −1',
        '**Ours**, `aaaaaaa`: 1 commit, +3 −1 in 1 file',
        'git merges them without a conflict.',
      ],
    ],
    [
      'a renamed and a binary file, and how many more there are',
      {
        theirs: sideOf(theirs, {
          ...{ moreCommits: 7, moreFiles: 90 },
          files: [
            { path: 'b.js', from: 'a.js', added: 0, removed: 0 },
            { path: 'logo.png', from: 'logo.png', added: null, removed: null },
          ],
        }),
      },
      [
        '8 commits, at least +0 −0 in 92 files',
        '- and 7 earlier commits\n- `a.js` → `b.js` +0 −0\n- `logo.png` binary\n- and 90 more files',
      ],
    ],
    [
      'where they conflict',
      {
        ...{ merge: 'conflict', conflicts: ['src/sum.js', 'a.js'] },
        hunk: { path: 'src/sum.js', text: '<<<<<<< theirs\n1\n=======\n2\n>>>>>>> ours' },
      },
      [
        'they conflict in `src/sum.js`, `a.js`.',
        '```diff\n<<<<<<< theirs\n1\n=======\n2\n>>>>>>> ours\n```',
      ],
    ],
    ['files that git took too long for', { theirs: sideOf(theirs, { files: [] }) }, ['1 commit\n']],
  ])('tells %s', (_, facts, expected) => {
    const text = writeOvertaken(met(facts))
    for (const part of expected) expect(text).toContain(part)
  })

  it.each<[string, Partial<Overtaken>, readonly string[]]>([
    [
      'on a forge',
      {},
      [
        `git fetch origin agent/T-1 ${ref}\ngit show aaaaaaaaaaaa`,
        `git switch --detach ${theirs}\ngit merge ${ours}\ngit push origin HEAD:agent/T-1`,
        `git switch --detach ${theirs}\ngit cherry-pick ${ours}\ngit push origin HEAD:agent/T-1`,
        `git push origin --delete ${ref}`,
        `git push --force-with-lease=agent/T-1:${theirs} origin ${ours}:refs/heads/agent/T-1`,
        '`/retry` does the task again on top of theirs.',
      ],
    ],
    [
      'without one',
      { forge: 'local' },
      [
        `git show ${ref}`,
        `git switch agent/T-1\ngit merge ${ref}`,
        `git switch agent/T-1\ngit cherry-pick ${ref}`,
        `git update-ref -d ${ref}`,
        `git switch agent/T-1\ngit reset --keep ${ref}`,
        '`executor run --task T-1` does the task again on top of theirs.',
      ],
    ],
    ['for a commit that is a merge', { mainline: 2 }, [`git cherry-pick -m 2 ${ours}`]],
    ['for several commits', { picks: 3 }, [`git cherry-pick ${ours}~3..${ours}`]],
    [
      'for a branch that was deleted',
      { merge: 'deleted', theirs: sideOf(null) },
      [
        `git fetch origin ${ref}\n`,
        `git push origin ${ours}:refs/heads/agent/T-1`,
        `git push origin --delete ${ref}`,
        '`/retry` does the task again.',
      ],
    ],
    [
      'for a branch that was deleted, without a forge',
      { merge: 'deleted', theirs: sideOf(null), forge: 'local' },
      [`git branch agent/T-1 ${ref}`, `git update-ref -d ${ref}`],
    ],
  ])('has the commands %s', (_, facts, expected) => {
    const text = writeOvertaken(met(facts))
    for (const part of expected) expect(text).toContain(part)
    expect(describeOvertaken(met(facts)).join('\n').replaceAll(/^ +/gm, '')).toContain(expected[0])
  })

  it('offers no rebase of several commits, the first of which is a merge', () => {
    expect(writeOvertaken(met({ picks: 2, mainline: 1 }))).not.toContain('git cherry-pick ')
  })

  it('offers no merge of two histories that have nothing in common', () => {
    expect(writeOvertaken(met({ merge: 'unrelated' }))).not.toContain('git merge ')
    expect(writeOvertaken(met({ merge: 'unrelated' }))).toContain('git cherry-pick ')
  })

  it.each(hostileTexts)('is inert, whatever stands in their commits: %j', (text) => {
    const line = text.replaceAll(/\s+/g, ' ')
    const side = sideOf(theirs, {
      commits: [{ sha: theirs, author: line, title: line }],
      files: [{ path: line, from: `x${line}`, added: 1, removed: 0 }],
    })
    const facts = met({
      ...{ theirs: side, merge: 'conflict', conflicts: [line] },
      hunk: { path: line, text },
    })
    const result = sampleResult('T-1', { verdict: 'waiting', overtaken: facts, thisRun: true })
    const report = buildReport(sampleState({ tasks: { results: { 'T-1': result } } }))
    const markdown = writeOvertaken(facts)
    expect(writeReportMarkdown(report)).toContain(markdown)
    expect(htmlOf(markdown)).toEqual([])
    expect(wordsOf(markdown)).not.toMatch(actedOn)
    expect(markdown).not.toMatch(turned)
    const outsideFences = markdown.replaceAll(/^(`{3,}).*?^\1$/gms, '')
    expect(outsideFences).not.toMatch(aCommand)
    const commands = (written: string) => written.split('```sh\n').slice(1).join('')
    expect(commands(markdown)).toBe(commands(writeOvertaken(met())))
    for (const each of describeOvertaken(facts)) expect(each).not.toMatch(turned)
    expect(writeReportHtml(report)).not.toContain('<script>alert')
    expect(writeReportHtml(report)).toContain('Two changes met on agent/T-1')
  })
})
