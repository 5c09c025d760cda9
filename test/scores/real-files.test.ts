import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scoreRealFiles } from '../../scores/real-files.ts'
import { missed } from '../../scores/score.ts'

describe('published files', () => {
  test('are never refused, in a sample of whatever is installed', async () => {
    const score = await scoreRealFiles({ most: 20 })
    expect(missed(score)).toEqual([])
    const languages = score.rows.map(({ label }) => label.split(',')[0])
    expect(languages).toEqual(expect.arrayContaining(['javascript', 'typescript', 'json', 'css']))
  })

  test('count as wrong when they are', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'real-files-'))
    await writeFile(join(folder, 'good.go'), 'package a\n')
    await writeFile(join(folder, 'bad.go'), 'package a\nfunc {\n')
    await writeFile(join(folder, 'doubtful.c'), 'int f( {\n')
    await writeFile(join(folder, 'other.txt'), 'package a\n')
    const { rows } = await scoreRealFiles({ folders: [folder] })
    expect(rows).toMatchObject([
      { label: 'c, published files', cases: 1, right: 0, refused: 1, wrong: 0 },
      { label: 'go, published files', cases: 2, right: 1, refused: 0, wrong: 1 },
    ])
    await rm(folder, { recursive: true })
  })
})
