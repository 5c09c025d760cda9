import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

// The gate: runs scripts of package.json two at a time, then the fast tests alone. Shows only the output
// of failing steps.
const quickSteps = [
  'types',
  'prose',
  'lint',
  'unused',
  'deps',
  'generated',
  'workflows',
  'faces:check',
]

const queue = [...quickSteps]
const lane = async (): Promise<void> => {
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) await runStep(step)
}
await Promise.all([lane(), lane()])
await runStep('test:fast')

async function runStep(name: string): Promise<void> {
  const started = performance.now()
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [code, ...output] = await Promise.all([
    new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    }),
    text(child.stdout),
    text(child.stderr),
  ])
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(10)} ${seconds.padStart(6)} s`)
  if (code === 0) return
  console.log(output.join(''))
  process.exitCode = 1
}
