import { scenarios } from './scenarios.ts'
import { casesOf, check, playUndisturbed } from './memory-cases.ts'
const only = process.argv[2]
let bad = 0, total = 0
const t0 = performance.now()
const groups = new Map<string, {n: number, first: string}>()
for (const scenario of scenarios) {
  const u = await playUndisturbed(scenario)
  const cases = casesOf(scenario, u)
  console.log(scenario.name, u.points.map(p=>p.length).join(' '), cases.length)
  for (const c of cases.filter((_, i) => i % Number(process.argv[3] ?? 1) === 0)) {
    if (only && !`${c.fault} ${c.point.call}`.includes(only)) continue
    total++
    const wrong = await check(c, u)
    if (wrong.length) { bad++
      const key = `${c.scenario.name} / ${c.scenario.steps[c.step]!.name} / ${c.fault} / ${c.point.call} / ${c.then}`
      const g = groups.get(key)
      if (g) g.n++; else groups.set(key, {n: 1, first: `@${c.at}\n     ` + wrong.map(w=>w.slice(0, 700)).join('\n     ')})
    }
  }
}
for (const [k, g] of groups) console.log(`${g.n}x ${k} ${g.first}`)
console.log({bad, total, ms: Math.round(performance.now()-t0)})
