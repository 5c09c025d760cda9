import { createMemoryWorld } from '/work/wt/faults/test/faults/memory-world.ts'
import { scenarios } from '/work/wt/faults/test/faults/scenarios.ts'
import { serveTrigger } from '/work/wt/faults/src/runs/serve-trigger.ts'
for (const s of scenarios) {
  const w = createMemoryWorld(s.roadmap)
  for (const step of s.steps) {
    w.clock.advance(3600)
    const trigger = step.happens(w)
    const t = performance.now()
    const before = {p: w.paid.length, wr: w.repository.counters.writes}
    const runs = await serveTrigger({ trigger, dryRun: false, signal: new AbortController().signal, say: (x)=>console.log('   say', x) }, w.start())
    if (0) for (const c of w.store.events) if (c.kind==='stepped') console.log('      ', c.task, c.node, c.outcome); console.log(s.name, '/', step.name, (performance.now()-t).toFixed(0)+'ms', 'paid', w.paid.length-before.p, 'writes', w.repository.counters.writes-before.wr)
    for (const r of runs) console.log('   ', JSON.stringify(Object.fromEntries(Object.entries(r.results).map(([k,v])=>[k,v.verdict+': '+v.reason]))), r.stopped, JSON.stringify(r.errors))
  }
  console.log(w.repository.pulls.map(p=>`#${p.number} ${p.head}->${p.base} ${p.state} ${p.labels}`), w.repository.issues.map(i=>i.title+i.state), new Set(w.paid).size, w.paid.length)
}
