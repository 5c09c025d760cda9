import { describe, expect, it } from 'vitest'
import { contentAfter } from '../../../../change/change.ts'
import { readDraft } from '../../../answer/read-draft.ts'

type Files = Readonly<Record<string, string>>

/** Reads an answer that sends these files in full. */
async function answer(files: Files, sent: Files) {
  const texts = new Map(Object.entries(files))
  const said = Object.entries(sent).map(([path, text]) => `${path}\n\`\`\`\n${text}\`\`\`\n`)
  const draft = await readDraft(said.join('\n'), {
    ...{ base: [], expectedPath: undefined, paths: Object.keys(files) },
    read: async (paths) => new Map([...texts].filter(([path]) => paths.includes(path))),
  })
  const after = new Map(draft.changes.map((change) => [change.path, contentAfter(change)]))
  return { after, notes: draft.notes }
}

const health = "export function health() {\n  return { status: 'ok' }\n}\n"
const python = 'def health():\n    return 1\n'

describe('an import of a file that is elsewhere', () => {
  it.each<[name: string, files: Files, sent: Files, path: string, line: string]>([
    [
      'of the same answer',
      {},
      { 'src/health.js': health, 'test/health.test.js': "import { health } from './health.js'\n" },
      'test/health.test.js',
      "import { health } from '../src/health.js'",
    ],
    [
      'of the repository',
      { 'src/health.ts': health },
      { 'test/health.test.ts': 'import { health } from "./health"\n' },
      'test/health.test.ts',
      'import { health } from "../src/health"',
    ],
    [
      'over several lines',
      { 'src/health.js': health },
      { 'test/health.test.js': "import {\n  health,\n} from './health.js'\n" },
      'test/health.test.js',
      "} from '../src/health.js'",
    ],
    [
      'by require',
      { 'lib/health.js': 'exports.health = () => 1\n' },
      { 'test/health.test.js': "const { health } = require('./health')\n" },
      'test/health.test.js',
      "const { health } = require('../lib/health')",
    ],
    [
      'by its default',
      { 'src/health.js': 'export default () => 1\n' },
      { 'test/health.test.js': "import health from './health.js'\n" },
      'test/health.test.js',
      "import health from '../src/health.js'",
    ],
    [
      'in Python',
      { 'pkg/__init__.py': '', 'pkg/core/__init__.py': '', 'pkg/core/health.py': python },
      { 'pkg/report.py': 'from .health import health\n' },
      'pkg/report.py',
      'from .core.health import health',
    ],
  ])('is corrected: %s', async (_, files, sent, path, line) => {
    const { after, notes } = await answer(files, sent)
    expect(after.get(path)?.split('\n')).toContain(line)
    expect(notes.join('\n')).toContain('was corrected to')
  })

  it.each<[name: string, files: Files, text: string]>([
    [
      'does not export the name',
      { 'src/health.js': health },
      "import { alive } from './health.js'\n",
    ],
    ['is imported as a whole', { 'src/health.js': health }, "import './health.js'\n"],
    [
      'is one of two',
      { 'a/health.js': health, 'b/health.js': health },
      "import { health } from './health.js'\n",
    ],
    [
      'is there',
      { 'test/health.js': health, 'src/health.js': health },
      "import { health } from './health.js'\n",
    ],
    ['is in a comment', { 'src/health.js': health }, "// import { health } from './health.js'\n"],
  ])('stays where the file %s', async (_, files, text) => {
    const { after, notes } = await answer(files, { 'test/health.test.js': text })
    expect(after.get('test/health.test.js')).toBe(text)
    expect(notes).toEqual([])
  })
})
