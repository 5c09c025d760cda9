import { createMemoryWorld } from './memory-world.ts'
import { scenarios } from './scenarios.ts'
import { serveTrigger } from '../../src/runs/serve-trigger.ts'
const s = scenarios[Number(process.argv[2])]!
  const w = createMemoryWorld(s.roadmap)
  for (const step of s.steps.slice(0, Number(process.argv[3]))) {
    w.clock.advance(3600)
    const trigger = step.happens(w)
    const services = w.start()
    const model = { complete: async (r) => { const a = await services.ports.model.complete(r); if (r.purpose===process.argv[4]) console.log('-----', r.messages.at(-1).content, '=====>', a.text); return a } }
    await serveTrigger({ trigger, dryRun: false, signal: new AbortController().signal, say: (x)=>console.log('   say', x) }, {...services, ports: {...services.ports, model}})
  }
