import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { cruise, type IForbiddenRuleType } from 'dependency-cruiser'
import { expect, it } from 'vitest'

const project = fileURLToPath(new URL('../../..', import.meta.url))

const sources = {
  'src/adapters/octokit/client.ts':
    "import { Octokit } from '@octokit/rest'\nexport const open = () => new Octokit()\n",
  'src/adapters/octokit/reads.ts':
    "import type { Octokit } from '@octokit/rest'\nexport type Mine = Octokit\n",
  'src/adapters/octokit/stray.ts': "export { Octokit } from '@octokit/rest'\n",
  'src/runs/stray.ts':
    "import { Octokit } from '@octokit/rest'\nexport const open = () => new Octokit()\n",
}

it('is a rule of the layers that only the client gets at what can write to GitHub', async () => {
  const name = 'github-writes-only-as-effects'
  const { default: rules }: { default: { forbidden: readonly IForbiddenRuleType[] } } =
    await import(pathToFileURL(join(project, '.dependency-cruiser.mjs')).href)
  const forbidden = rules.forbidden.filter((rule) => rule.name === name)
  const baseDir = realpathSync(mkdtempSync(join(tmpdir(), 'layers-')))
  try {
    for (const [path, text] of Object.entries(sources)) {
      mkdirSync(dirname(join(baseDir, path)), { recursive: true })
      writeFileSync(join(baseDir, path), text)
    }
    symlinkSync(join(project, 'node_modules'), join(baseDir, 'node_modules'))
    const { output } = await cruise(
      ['src'],
      {
        ruleSet: { forbidden },
        validate: true,
        baseDir,
        doNotFollow: { path: 'node_modules' },
        tsPreCompilationDeps: true,
      },
      { exportsFields: ['exports'], conditionNames: ['import'] },
    )
    const violations = typeof output === 'string' ? [] : output.summary.violations
    expect(violations.map(({ rule, from }) => `${rule.name}: ${from}`).sort()).toEqual([
      `${name}: src/adapters/octokit/stray.ts`,
      `${name}: src/runs/stray.ts`,
    ])
  } finally {
    rmSync(baseDir, { recursive: true, force: true })
  }
})
