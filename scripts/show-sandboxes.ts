import { sandboxKinds } from '../test/sandbox-kinds.ts'

// The sandbox tests run for each kind that works on this machine; this prints the kinds for the log.
const { present, missing } = await sandboxKinds()
const others = missing.length === 0 ? '' : `; not on this machine: ${missing.join(', ')}`
console.log(`Sandbox kinds covered: ${present.join(', ')}${others}`)
