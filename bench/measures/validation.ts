import { validateFile } from '../../packages/judge/validate/validate-file.ts'
import { createWasmSyntaxChecker } from '../../packages/source/wasm-syntax-checker.ts'
import type { Row } from '../row.ts'
import { textFor } from '../source-texts.ts'
import { median, timed } from '../statistics.ts'

const languages: Readonly<Record<string, { readonly name: string; readonly limits: number[] }>> = {
  'a.js': { name: 'JavaScript', limits: [15, 150] },
  'a.ts': { name: 'TypeScript', limits: [15, 150] },
  'a.json': { name: 'JSON', limits: [5, 60] },
  'a.yaml': { name: 'YAML', limits: [5, 60] },
  'a.py': { name: 'Python', limits: [5, 60] },
}

const sizes = [200, 5000]
const warmUps = 8
const runs = 15

/** One file of each language and size, warm; and the first that starts the child process. */
export async function measureValidation(): Promise<readonly Row[]> {
  const rows: Row[] = [await firstInChild()]
  const syntax = createWasmSyntaxChecker()
  try {
    for (const [path, { name, limits }] of Object.entries(languages)) {
      for (const [index, lines] of sizes.entries()) {
        const text = textFor(path, lines, lines)
        const validate = () => mustBeValid(path, text, syntax)
        await timed(warmUps, validate)
        const samples = await timed(runs, validate)
        const limit = limits[index] ?? Number.NaN
        const figure = `validation, ${name}, ${lines.toLocaleString('en')} lines, warm`
        rows.push({ figure, unit: 'ms', measured: median(samples), limit, samples })
      }
    }
  } finally {
    await syntax.close()
  }
  return rows
}

async function firstInChild(): Promise<Row> {
  const text = textFor('a.py', 200, 200)
  const samples: number[] = []
  for (let run = 0; run < 5; run += 1) {
    const syntax = createWasmSyntaxChecker()
    samples.push(...(await timed(1, () => mustBeValid('a.py', text, syntax))))
    await syntax.close()
  }
  const figure = 'validation, first file that needs the child process'
  return { figure, unit: 'ms', measured: median(samples), limit: 400, samples }
}

async function mustBeValid(
  path: string,
  text: string,
  syntax: ReturnType<typeof createWasmSyntaxChecker>,
): Promise<void> {
  const { valid, checked, problems } = await validateFile({ path, text }, { syntax })
  if (!valid || !checked) throw new Error(`${path}: ${problems[0]?.message ?? 'not checked'}`)
}
