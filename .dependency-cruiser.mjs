import { packages } from './scripts/packages.ts'

export { packages }

/**
 * What each room of src/ may import besides itself, from the top down: each names rooms below it alone, so no two
 * can need each other. (`no-knots` sees folders that hold files, and most rooms hold only folders.)
 */
export const rooms = {
  entry: ['runs', 'graph', 'adapters', 'publish', 'recovery', 'tasks', 'model', 'core'],
  runs: ['graph', 'publish', 'recovery', 'tasks', 'model', 'core'],
  graph: ['publish', 'recovery', 'tasks', 'model', 'core'],
  adapters: ['core'],
  publish: ['recovery', 'tasks', 'model', 'core'],
  recovery: ['tasks', 'model', 'core'],
  tasks: ['model', 'core'],
  model: ['core'],
  core: [],
}

/** Code without effects: of the packages that have some, it imports types only. */
const pure =
  '^src/(?!adapters/|entry/)|^packages/(change|diagnosis|judge|roadmap|source|task|text)/(?!wasm-syntax|tsdown)'

const order = Object.keys(rooms)
for (const [room, below] of Object.entries(rooms)) {
  const knot = below.find((other) => order.indexOf(other) <= order.indexOf(room))
  if (knot !== undefined) throw new Error(`${room} may not import ${knot}, which stands above it.`)
}

const rule = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to,
})

const roomRules = Object.entries(rooms).map(([room, below]) =>
  rule(
    `${room}-looks-down`,
    `Data flows one way: ${room} may import ${below.join(', ') || 'no other room'}.`,
    `^src/${room}/`,
    { path: `^src/(?!(${[room, ...below].join('|')})/)` },
  ),
)

/** What a package shows: the file of its name. */
const doors = Object.keys(packages)
  .map((name) => `packages/${name}/${name}\\.ts$`)
  .join('|')

const packageRules = Object.entries(packages).map(([name, below]) =>
  rule(
    `${name}-stands-alone`,
    `Without the program, the package ${name} imports ${below.map((each) => `the door of ${each}`).join(' and ') || 'no other of ours'}.`,
    `^packages/${name}/(?!test/|tsdown)`,
    {
      path: `^(src|test|bench|scores|harness|scripts)/|^packages/(?!${[`${name}/`, ...below.map((each) => `${each}/${each}\\.ts$`)].join('|')})`,
    },
  ),
)

/** The layer rules of docs/architecture.md, each with its reason. */
export default {
  forbidden: [
    ...roomRules,
    ...packageRules,
    rule(
      'packages-have-one-door',
      'Behind its door, a package changes without anybody knowing.',
      '^src/',
      { path: `^packages/(?!github-simulator/)(?!${doors.replaceAll('packages/', '')})` },
    ),
    {
      name: 'no-other-room',
      comment: 'A file of src/ stands in one of the nine rooms, so that a rule holds for it.',
      severity: 'error',
      from: {},
      to: { path: `^src/(?!(${Object.keys(rooms).join('|')})/)` },
    },
    {
      name: 'no-cycles',
      comment: 'A cycle has no bottom: nothing in it can be read or tested alone.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-knots',
      comment: 'Folders that need each other are one folder, and nobody can read half of it.',
      severity: 'error',
      scope: 'folder',
      // Between rooms the table above says it in one line.
      from: { path: '^((?:src|packages)/[^/]+)/' },
      to: { path: '^$1/', circular: true },
    },
    rule(
      'packages-know-no-service',
      'What talks to a service, keeps a record or serves is an adapter of the program.',
      '^packages/(?!github-simulator/|app-server/)',
      {
        path: 'node_modules/(@octokit|@actions|@opentelemetry|@electric-sql|openai|pino|probot|pg|pg-boss)/|^(node:)?sqlite$',
      },
    ),
    rule(
      'domain-is-the-floor',
      'Shared types and rules must be usable anywhere; zod alone has the schemas that types are read off.',
      '^src/core/domain/',
      { path: '^src/(?!core/domain/)|node_modules/(?!zod/)|^node:' },
    ),
    rule(
      'ports-name-no-technology',
      'A port is what the program needs, not how it is got.',
      '^src/core/ports(\\.ts$|/)',
      { path: '^src/(?!core/(domain|ports)/)' },
    ),
    rule(
      'nodes-are-strangers',
      'The edge table alone decides what comes next.',
      '^src/graph/nodes/([^/]+)/([^/]+)\\.ts$',
      { path: '^src/graph/nodes/' },
    ),
    rule(
      'nodes-look-down',
      'A node works through ports and never knows who runs it.',
      '^src/graph/nodes/',
      { path: '^src/graph/(?!nodes/|tools/|parts/|edges\\.ts$|step\\.ts$|events-between\\.ts$)' },
    ),
    rule(
      'triggers-only-read',
      'What an event asks for is told before anything is loaded or done.',
      '^src/runs/triggers/',
      {
        path: '^src/(?!runs/triggers/|core/(domain|ports)/)|^packages/(?!task/task\\.ts)|node_modules|^node:',
      },
    ),
    rule(
      'github-writes-only-as-effects',
      'The client of GitHub can write without a look before and after: only the acts of effects get it, and no other file can make one.',
      '^src/(?!adapters/octokit/client\\.ts$)',
      {
        path: 'node_modules/@octokit/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'simulator-for-the-demo-only',
      'The product must not lean on its own test servers, and a start must not load them.',
      '^src/',
      {
        path: '^packages/github-simulator/',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    ),
    rule(
      'simulator-stands-alone',
      'Other projects install it without this program.',
      '^packages/github-simulator/(?!test/)',
      { path: '^(?!packages/github-simulator/)(src|test|bench|scores|harness|scripts)/' },
    ),
    rule(
      'queue-for-the-app-only',
      'An embedded database is a hundred megabytes that no run of the Action or the CLI needs.',
      '^src/(?!entry/app/|adapters/(pg-queue|probot-app))',
      {
        path: '^src/adapters/(pg-queue|probot-app)|node_modules/(pg|pg-boss|probot|@electric-sql/pglite)/',
      },
    ),
    rule(
      'app-for-its-commands-only',
      'Whatever imports the App loads Probot and the queue with it.',
      '^src/(?!entry/app/|entry/cli/commands/app\\.ts$)',
      { path: '^src/entry/app/' },
    ),
    rule(
      'runner-told-in-one-place',
      'What the Action says to its runner passes the redactor on the way.',
      '^src/(?!entry/action/runner\\.ts$)',
      { path: 'node_modules/@actions/core' },
    ),
    rule(
      'telemetry-in-one-place',
      'No other part knows by which library spans and metrics are sent.',
      '^src/(?!adapters/telemetry/)',
      { path: 'node_modules/@opentelemetry/' },
    ),
    rule(
      'telemetry-loaded-when-wanted',
      'Where nobody receives it, it costs nothing: only the App measures in any case.',
      '^src/(?!adapters/telemetry/|entry/app/)',
      {
        path: '^src/adapters/telemetry/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'log-written-in-one-place',
      'A library for logs is loaded when there is time for it, and its lines are redacted.',
      '^src/(?!adapters/pino-log\\.ts$)',
      { path: 'node_modules/pino/' },
    ),
    rule(
      'sqlite-when-used',
      'Loading SQLite takes time that a start does not have, and on Node 22 it prints a warning: one module loads it, when it is needed.',
      '^src/(?!adapters/sqlite-history/load-sqlite\\.ts$)',
      { path: '^(node:)?sqlite$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'history-when-used',
      'The first finished task, or a command that asks, loads the index; a start does not.',
      '^src/(?!adapters/sqlite-history|entry/cli/(commands/|show-|open-history))',
      {
        path: '^src/adapters/sqlite-history(\\.ts$|/(?!load-sqlite))',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    ),
    rule(
      'index-when-used',
      'Only a larger project has an index of its code; a start does not load it.',
      '^src/(?!adapters/sqlite-index)',
      {
        path: '^src/adapters/sqlite-index',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    ),
    rule('effects-only-in-adapters', 'What touches the world must be swappable by a fake.', pure, {
      path: '^(node:)?(fs|fs/promises|child_process|http|https|net|os|sqlite)$|node_modules/(execa|openai|@octokit|@actions)',
    }),
    rule(
      'sandbox-only-in-adapters',
      'What has effects reaches the rest of the program through a port.',
      pure,
      { path: '^packages/(files|sandbox)/', dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/(test/|dist/|tsdown)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
