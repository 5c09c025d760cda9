import { sandboxKinds } from '../test/sandbox-kinds.ts'

// Tests of a sandbox run for each kind that works on this machine: a log says which those were.
const { present, missing } = await sandboxKinds()
const others = missing.length === 0 ? '' : `; not on this machine: ${missing.join(', ')}`
console.log(`Sandbox kinds covered: ${present.join(', ')}${others}`)
