/**
 * Where each test file is played. `fast` is what one runs while working: it starts no process that takes its
 * time, and opens no port. `npm test` plays that, `machine` (git, sandboxes, servers on loopback) and `bundle`
 * (what a user installs). The rest is for `npm run test:full`, one project for each of its parts.
 */
const parts = {
  toolchains: ['packages/judge/test/toolchains/**'],
  cli: [
    'test/e2e/cli/{agent,budget,circumstances,decompose,demo,destructive,exhausted,interrupted}.test.ts',
    'test/e2e/cli/{large-changes,limited,promised-files,repair-*,plans,roadmap-shapes,rollback,set-aside}.test.ts',
    'test/e2e/cli/{groups,parallel,several-tasks,two-writers,unboxed,workspace}.test.ts',
  ],
  action: [
    'test/e2e/action/{agent,api-calls,at-once,check,fresh-machine,limited,lint,nightly,refusals}.test.ts',
    'test/e2e/action/{repairs,report-comments,rollback,several-tasks,switches,workspace}.test.ts',
    'test/e2e/{bundle-circumstances,plans,tools}.test.ts',
  ],
  people: ['test/e2e/people/**'],
  agents: ['test/e2e/agents.test.ts'],
  app: [
    'test/e2e/app/**',
    'test/adapters/pg-queue/{killed,spending-table,write-pace}.test.ts',
    'test/adapters/pg-queue.test.ts',
    'test/entry/app/{burst,serve-job,served}.test.ts',
  ],
  browser: ['test/publish/report/browser/**', 'test/entry/app/browser/**'],
  planted: [
    'test/e2e/processes.test.ts',
    'test/faults/mutants.test.ts',
    'packages/sandbox/test/attacks/planted.test.ts',
    'test/planted/findings.test.ts',
  ],
} as const

const machine = [
  'packages/github-simulator/**',
  'packages/sandbox/test/**',
  'test/adapters/{doctor,durable-store,git-workspace}/**',
  'test/adapters/{durable-store*,file-store*,git-workspace*,octokit-*}.test.ts',
  'test/adapters/pg-queue/{job-table,outage,turns}.test.ts',
  'test/adapters/{line-stream,model-relay,openai-model,sqlite-history,sqlite-index,telemetry,user-checkout}.test.ts',
  'test/bench/real-model/record-proxy.test.ts',
  'test/entry/{app,cli,library,observe}/**',
  'test/entry/{compiled-code,action/act,config/find-unmerged-keys}.test.ts',
  'test/faults/**',
  'test/runs/{answers,refresh-*}.test.ts',
  'test/scripts/**',
  'packages/source/test/wasm-*.test.ts',
  'packages/judge/test/readme.test.ts',
  'packages/judge/test/verdict/red-before.test.ts',
  'packages/judge/test/proof/see-canaries.test.ts',
  'packages/judge/test/run/{run-again,run-suites}.test.ts',
]

const everything = ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts']
const bundle = ['test/e2e/**', 'test/harness/played.test.ts']

export interface Tier {
  readonly name: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** True where the tests start what is built. */
  readonly needsBuild: boolean
}

const inParts: readonly string[] = Object.values(parts).flat()

/** Each test file is in one of them. */
export const tiers: readonly Tier[] = [
  {
    name: 'fast',
    include: everything,
    exclude: [...machine, ...bundle, ...inParts],
    needsBuild: false,
  },
  { name: 'machine', include: machine, exclude: inParts, needsBuild: false },
  { name: 'bundle', include: bundle, exclude: inParts, needsBuild: true },
  ...Object.entries(parts).map(([name, include]) => ({
    name,
    include,
    exclude: [],
    needsBuild: include.some((pattern) => pattern.startsWith('test/e2e/')),
  })),
]

/** The tiers of `npm test`. */
export const everyDay = ['fast', 'machine', 'bundle'] as const

/** The tiers that only `npm run test:full` plays. */
export const nightly: readonly string[] = Object.keys(parts)
