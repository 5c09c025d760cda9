/**
 * Merges the change of one step into a state that other lanes have changed since the step began. Every fact of a state
 * has its rule here. For tasks that are independent, the end is the same in whatever order their steps are merged, up
 * to the order and the time.
 */
import { isDeepStrictEqual as isSame } from 'node:util'
import type { Fields } from '../../../packages/text/text.ts'
import type { FactGroup } from './change-state.ts'
import type { RunState } from './run-state.ts'
import { addUsage, noUsage, subtractUsage } from './usage.ts'

/** Returns the value of a fact, which a step changed from `base` to `after`, and which is `now`. */
type Rule<Value> = (base: Value, after: Value, now: Value) => Value

type Rules = {
  readonly [Group in FactGroup]: {
    readonly [Fact in keyof Required<RunState[Group]>]: Rule<RunState[Group][Fact]>
  }
}

type List<Item> = readonly Item[]
type Listed<Value> = { readonly [key: string]: Value }
type Spent = RunState['spent']
type Results = RunState['tasks']['results']

/** Never changed by the step of a lane, or a fact of the lane itself. */
const kept = <Value>(_base: Value, _after: Value, now: Value): Value => now

/** The step that changed it last is right: it read or decided it last. */
const latest = <Value>(base: Value, after: Value, now: Value): Value =>
  isSame(base, after) ? now : after

const sum: Rule<number> = (base, after, now) => now + after - base

/** The items of `list` without those of `others`, each of them once. */
function without<Item>(list: List<Item>, others: List<Item>): List<Item> {
  const left = [...others]
  return list.filter((item) => {
    const at = left.findIndex((other) => isSame(item, other))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** A list of what happened: equal items are different events. */
const appended = <Item>(base: List<Item>, after: List<Item>, now: List<Item>): List<Item> =>
  base === after ? now : [...without(now, without(base, after)), ...without(after, base)]

/** A list that names each item once. */
const named = <Item>(base: List<Item>, after: List<Item>, now: List<Item>): List<Item> => {
  if (base === after) return now
  const left = without(now, without(base, after))
  return [...left, ...without(without(after, base), left)]
}

const namedOrAll: Rule<List<string> | null> = (base, after, now) =>
  base === null || after === null || now === null
    ? latest(base, after, now)
    : named(base, after, now)

/** Applies what the step set and deleted; `join` settles a value that has changed on both sides. */
const byKey =
  <Value>(join: Rule<Value | undefined> = (_, after) => after) =>
  (base: Listed<Value>, after: Listed<Value>, now: Listed<Value>): Listed<Value> => {
    if (base === after) return now
    const merged: Record<string, Value> = { ...now }
    for (const key of new Set([...Object.keys(base), ...Object.keys(after)])) {
      if (isSame(base[key], after[key])) continue
      const value = isSame(base[key], now[key]) ? after[key] : join(base[key], after[key], now[key])
      if (value === undefined) delete merged[key]
      else merged[key] = value
    }
    return merged
  }

/** The same for a record that is absent until it has something. */
const byKeyIfAny =
  <Value>() =>
  (
    base: Listed<Value> | undefined,
    after: Listed<Value> | undefined,
    now: Listed<Value> | undefined,
  ): Listed<Value> | undefined =>
    base === after ? now : byKey<Value>()(base ?? {}, after ?? {}, now ?? {})

/** Results are in the order of their last verdict: one that the step filed is the last. */
const byVerdict: Rule<Results> = (base, after, now) => {
  const merged = byKey<Results[string]>()(base, after, now)
  if (merged === now) return now
  const filed = Object.keys(after).filter((id) => isFiled(id, base, after))
  const others = Object.entries(merged).filter(([id]) => !filed.includes(id))
  return Object.fromEntries([...others, ...filed.map((id) => [id, after[id]] as const)]) as Results
}

/** True for a result that is new, or that has moved behind one that it was before. */
function isFiled(id: string, base: Results, after: Results): boolean {
  if (!Object.hasOwn(base, id)) return true
  const [before, now] = [Object.keys(base), Object.keys(after)]
  const later = before.slice(before.indexOf(id) + 1)
  return later.some((other) => now.includes(other) && now.indexOf(other) < now.indexOf(id))
}

const addNodes: Rule<Spent['nodes']> = (base, after, now) => {
  const add: Rule<Spent['nodes'][keyof Spent['nodes']]> = (was, is, also) => ({
    calls: sum(was?.calls ?? 0, is?.calls ?? 0, also?.calls ?? 0),
    seconds: sum(was?.seconds ?? 0, is?.seconds ?? 0, also?.seconds ?? 0),
    usage: addSpent(was?.usage ?? noUsage, is?.usage ?? noUsage, also?.usage ?? noUsage),
  })
  return byKey(add)(base, after, now)
}

const addSpent: Rule<Spent['usage']> = (base, after, now) =>
  base === after ? now : addUsage(now, subtractUsage(after, base))

/** Two lanes may learn of one window: the smaller number is the safe one. */
const smaller: Rule<number | undefined> = (_, after, now) =>
  after === undefined || now === undefined ? after : Math.min(after, now)

const laterTime: Rule<string | null> = (base, after, now) => {
  if (base === after) return now
  return after !== null && now !== null && now > after ? now : after
}

/** A run that has to wait for a service resumes by itself, whatever limit it met besides. */
const graver: Rule<RunState['progress']['stopped']> = (base, after, now) =>
  base === after || (after !== null && now === 'unavailable') ? now : after

const rules: Rules = {
  run: {
    ...{ id: kept, startedAt: kept, dryRun: kept, approvalMode: kept, request: kept },
    ...{ remark: kept, gap: kept },
    completedAt: latest,
    only: namedOrAll,
  },
  roadmap: {
    path: kept,
    ...{ base: latest, normalized: latest, preview: latest },
    amendments: named,
    changes: appended,
  },
  asked: { answers: byKey(), feedback: byKey(), grants: byKey(), issues: named },
  progress: {
    // Each lane has its own.
    ...{ next: kept, resumeAt: kept },
    stopped: graver,
    stuck: latest,
    awaitsTests: latest,
    retryAt: laterTime,
    limits: named,
  },
  tasks: {
    results: byVerdict,
    ...{ parked: byKey(), heads: byKey(), questions: byKey(), failedBefore: byKey() },
    lacked: byKey(),
    leases: byKey(),
    alone: byKeyIfAny(),
    groups: byKeyIfAny(),
    joined: byKeyIfAny(),
    retried: named,
  },
  spent: {
    usage: addSpent,
    // Each lane has its own.
    calls: kept,
    seconds: sum,
    nodes: addNodes,
  },
  record: { recoveries: appended, destructive: appended, errors: appended, hidden: named },
  learned: {
    windows: byKey(smaller),
    speeds: byKeyIfAny(),
    thinking: named,
    forms: byKeyIfAny(),
    corrections: byKey(),
    forgotten: named,
  },
  pullRequests: { opened: sum, open: named },
}

/** Returns `now` with the step's change, from `base` to `after`, of all that lanes share. */
export function mergeStates(base: RunState, after: RunState, now: RunState): RunState {
  const merged = Object.entries(rules).map(([group, facts]) => [
    group,
    mergeGroup(facts, Object(base)[group], Object(after)[group], Object(now)[group]),
  ])
  return { ...now, ...Object.fromEntries(merged) }
}

type AnyRule = (base: never, after: never, now: never) => unknown

function mergeGroup(
  facts: Readonly<Record<string, AnyRule>>,
  base: Fields,
  after: Fields,
  now: Fields,
): Fields {
  if (base === after) return now
  const changed = Object.entries(facts).flatMap(([fact, rule]) => {
    const given = [base[fact], after[fact], now[fact]] as [never, never, never]
    const value: unknown = rule(...given)
    return value === undefined && !Object.hasOwn(now, fact) ? [] : [[fact, value] as const]
  })
  return { ...now, ...Object.fromEntries(changed) }
}
