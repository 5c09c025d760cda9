/** The layer rules of docs/architecture.md, each with its reason. */
const capabilities =
  '^src/(prompts|roadmap|changeset|validate|safety|destructive|verify|context|recovery|reconcile|lint|stack|effects|budget|report|config|journal|history|memory|rollback|schedule)/'

const rule = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to,
})

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle has no bottom: nothing in it can be read or tested alone.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    rule('domain-is-the-floor', 'Shared types and rules must be usable anywhere.', '^src/domain/', {
      path: '^src/(?!domain/)|node_modules|^node:',
    }),
    rule(
      'ports-name-no-technology',
      'A port is what the program needs, not how it is got.',
      '^src/ports(\\.ts$|/)',
      {
        path: '^src/(?!domain/|ports/)',
      },
    ),
    rule(
      'nodes-are-strangers',
      'The edge table alone decides what comes next.',
      '^src/nodes/([^/]+)/([^/]+)\\.ts$',
      {
        path: '^src/nodes/',
      },
    ),
    rule(
      'capabilities-look-down',
      'Data flows one way: entry, runs, graph, nodes, capabilities, domain.',
      capabilities,
      {
        path: '^src/(entry|runs|graph|nodes|adapters|simulators)/',
      },
    ),
    rule(
      'triggers-only-read',
      'What an event asks for is told before anything is loaded or done.',
      '^src/triggers/',
      {
        path: '^src/(?!triggers/|domain/|ports/)|node_modules|^node:',
      },
    ),
    rule(
      'nodes-look-down',
      'A node works through ports and never knows who runs it.',
      '^src/nodes/',
      {
        path: '^src/(entry|runs|adapters|simulators)/',
      },
    ),
    rule(
      'adapters-known-to-entry',
      'Only a composition root chooses the technology.',
      '^src/(?!entry/|adapters/)',
      {
        path: '^src/adapters/',
      },
    ),
    rule(
      'adapters-know-no-flow',
      'An adapter serves a port; it does not steer.',
      '^src/adapters/',
      {
        path: '^src/(entry|runs|graph|nodes)/',
      },
    ),
    rule(
      'github-writes-only-as-effects',
      'Whoever holds the client of GitHub can write without a look before and after: it is handed to the acts of effects, and nobody else can make one.',
      '^src/(?!adapters/octokit/client(/|\\.ts$)|simulators/)',
      {
        path: 'node_modules/@octokit/|^src/adapters/octokit/client/octokit\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'simulators-for-entry-only',
      'The product must not lean on its own test servers.',
      '^src/(?!entry/|simulators/)',
      {
        path: '^src/simulators/',
      },
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
      'Whoever imports the App loads Probot and the queue with it.',
      '^src/(?!entry/app/|entry/cli/commands/app\\.ts$)',
      {
        path: '^src/entry/app/',
      },
    ),
    rule(
      'runner-told-in-one-place',
      'What the Action says to its runner passes the redactor on the way.',
      '^src/(?!entry/action/runner\\.ts$)',
      {
        path: 'node_modules/@actions/core',
      },
    ),
    rule(
      'telemetry-in-one-place',
      'No other part knows by which library spans and metrics are sent.',
      '^src/(?!adapters/telemetry/)',
      {
        path: 'node_modules/@opentelemetry/',
      },
    ),
    {
      name: 'telemetry-loaded-when-wanted',
      comment: 'Where nobody receives it, it costs nothing: only the App measures in any case.',
      severity: 'error',
      from: { path: '^src/(?!adapters/telemetry/|entry/app/)' },
      to: {
        path: '^src/adapters/telemetry/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    rule(
      'log-written-in-one-place',
      'A library for logs is loaded when there is time for it, and its lines are redacted.',
      '^src/(?!adapters/pino-log\\.ts$)',
      {
        path: 'node_modules/pino/',
      },
    ),
    rule(
      'sqlite-when-used',
      'Loading SQLite takes time that a start does not have, and on Node 22 it prints a warning: one module loads it, when it is needed.',
      '^src/(?!adapters/sqlite-history/load-sqlite\\.ts$)',
      {
        path: '^(node:)?sqlite$',
        dependencyTypesNot: ['type-only'],
      },
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
      'effects-only-in-adapters',
      'What touches the world must be swappable by a fake.',
      '^src/(?!adapters/|entry/|simulators/)',
      {
        path: '^(node:)?(fs|fs/promises|child_process|http|https|net|os|sqlite)$|node_modules/(execa|openai|@octokit|@actions)',
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
