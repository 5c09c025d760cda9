import { expect, it } from 'vitest'
import { readScreens } from '../../../scripts/pictures/read-screen.ts'
import { recordTerminal } from '../../../scripts/pictures/record-terminal.ts'
import { cli, createProject } from './bench.ts'
import { alphabet, letterFiles, letterRoadmap } from './letters.ts'
import { startModel } from './model.ts'

const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(1) }
const slow = { text: letterFiles(0), fault: { kind: 'slow', seconds: 3 } } as const

it.concurrent.each([0, 1, 20, 80])(
  'a run at a terminal of %i columns shows that it is at work, and leaves only its messages',
  async (columns) => {
    using project = createProject(files)
    await using model = await startModel({ 'draft T-1': [slow] })
    const variables = { ...model.variables, XDG_CACHE_HOME: project.cache }
    const environment = Object.entries(variables).map(([name, value]) => `${name}='${value}'`)
    const line = `cd ${project.path}; env ${environment.join(' ')} ${process.execPath} ${cli} run`
    const size = { columns, rows: 24 }
    const written = await recordTerminal(line, size, project.root)
    expect(project.branches()).toEqual(['agent/T-1'])
    expect(written.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(100_000)
    const texts = written.map(({ text }) => text).join('')
    expect(texts).toMatch(columns === 1 ? /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/ : /: [23] s/)
    if (columns < 20) return
    const screens = await readScreens(written, size)
    const last = screens.at(-1)?.lines.map((spans) => spans.map(({ text }) => text).join(' ')) ?? []
    expect(last.join('\n')).toContain('✔ T-1 done')
    expect(last.join('\n')).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
  },
)
