import { expect, it } from 'vitest'
import { openTree } from '../../../packages/change/tree.ts'
import { findBrokenImports } from '../../../packages/source/imports/find-broken-imports.ts'
import {
  findModulesFromLaterTasks,
  wrongImports,
} from '../../../src/recovery/task/find-modules-from-later-tasks.ts'
import { loadOpenTasks } from '../../../src/tasks/load-roadmap.ts'
import { anAttempt, aState, aTask, fakePorts } from '../../fakes/facts.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'

const roadmap = `
- [ ] **T-1**: Greet
- [ ] **T-2**: Create \`src/user.js\`
- [x] **T-3**: Create \`src/gone.js\`
- [ ] **T-4**: Create \`shop/label.py\`
`

async function look(text: string, path = 'src/greet.js') {
  const workspace = createMemoryWorkspace({
    files: {
      'ROADMAP.md': roadmap,
      'lib/tools.js': 'export const tool = 1\n',
      'shop/__init__.py': '',
    },
  })
  const { base } = await workspace.refresh()
  const attempt = anAttempt({
    task: aTask(),
    start: base,
    draft: {
      changes: [{ action: 'create', path, content: text }],
      refusals: [],
      claimsDone: false,
      summary: '',
      notes: [],
    },
  })
  const state = aState({ roadmap: { base }, attempt })
  const ports = fakePorts({ workspace })
  const openTasks = async () => (await loadOpenTasks(state, ports)).order
  const broken = await findBrokenImports(
    attempt.draft?.changes ?? [],
    await openTree(base.sha, workspace),
  )
  return {
    later: await findModulesFromLaterTasks(attempt, openTasks, ports),
    wrong: (await wrongImports(broken, attempt, openTasks)).map(({ specifier }) => specifier),
  }
}

it.each<[string, string, readonly string[], readonly string[]]>([
  ['no import', 'export {}\n', [], []],
  [
    'what a later task brings',
    "import './user.js'\n",
    ["src/greet.js:1 Cannot find module './user.js'"],
    [],
  ],
  ['what a task brought that is done', "import './gone.js'\n", [], ['./gone.js']],
  ['what nobody brings', "import './nobody.js'\n", [], ['./nobody.js']],
  ['what is elsewhere', "import './tools.js'\n", [], ['./tools.js']],
  ['what is there', "import '../lib/tools.js'\n", [], []],
  ['a package', "import 'left-pad'\n", [], []],
])('an import of %s', async (_, text, later, wrong) => {
  expect(await look(text)).toEqual({ later, wrong })
})

it.each([
  ['shop/print.py', 'from shop.label import label\n'],
  ['shop/print.py', 'from .label import label\n'],
  ['shop/desk/print.py', 'from ..label import label\n'],
])('is told in the words of Python: %s %j', async (path, text) => {
  const later = [`${path}:1 No module named 'shop.label'`]
  expect(await look(text, path)).toEqual({ later, wrong: [] })
})
