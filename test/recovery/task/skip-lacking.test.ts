import { expect, it } from 'vitest'
import type { Diagnosis } from '../../../packages/diagnosis/command-fault.ts'
import type { Task } from '../../../packages/task/task-schema.ts'
import { skipLacking } from '../../../src/recovery/task/skip-lacking.ts'
import { aState, aTask } from '../../fakes/facts.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'

const lacking = (lacks: string, language: string, install: string): Diagnosis => ({
  ...{ kind: 'set-up', message: `The package '${lacks}' is not installed.` },
  ...{ file: null, line: null, lacks, language, install },
})
const yaml = lacking('yaml', 'python', 'pip install pyyaml')
const redis = lacking('redis', 'javascript', 'npm install redis')
const mux = lacking('github.com/gorilla/mux', 'go', 'go get github.com/gorilla/mux')
const gem = lacking('redis', 'ruby', 'gem install redis')

const files = {
  'settings.py': 'import json\nimport yaml\n\n\ndef load(text):\n    return yaml.safe_load(text)\n',
  'tests/test_settings.py': 'import yaml\n',
  'guarded.py': 'try:\n    import yaml\nexcept ImportError:\n    yaml = None\n',
  'later.py': 'def load(text):\n    import yaml\n    return yaml.safe_load(text)\n',
  'src/store.ts': "import { createClient } from 'redis'\n",
  'src/types.ts': "import type { RedisClient } from 'redis'\n",
  'src/keys.js': 'export const key = (name) => `redis:${name}`\n',
  'server.go': 'package main\n\nimport (\n\t"net/http"\n\n\t"github.com/gorilla/mux"\n)\n',
  'lib/store.rb': "require 'json'\nrequire 'redis'\n",
  'README.md': '# x\n',
}

async function skipped(task: Partial<Task>, cause: Diagnosis | undefined) {
  const workspace = createMemoryWorkspace({ files })
  const { base } = await workspace.view()
  const order = [aTask({ id: 'T-2', ...task })]
  return (await skipLacking(aState({ roadmap: { base } }), cause, order, { workspace }))['T-2']
}

it('skips, unpaid, a task that needs the package of which the last verdict says that it lacks', async () => {
  expect(await skipped({ title: 'Read them with `yaml.safe_load(text)`' }, yaml)).toMatchObject({
    ...{ verdict: 'skipped', attempts: 0, thisRun: true, diagnosis: yaml },
    reason: "The package 'yaml' is not installed. Install it: pip install pyyaml",
  })
})

it.each<[string, Partial<Task>, Diagnosis]>([
  ['its code calls it', { title: 'Read it', details: 'Use `yaml.safe_load(text)`.' }, yaml],
  ['its code imports it', { title: 'Begin with `import yaml`' }, yaml],
  ['its code imports of it', { title: 'Use `from yaml import safe_load` there' }, yaml],
  [
    'its code imports it among others',
    { title: 'x', details: '```\nimport json, yaml\n```' },
    yaml,
  ],
  ['its code requires it', { title: "Connect: `const redis = require('redis')`" }, redis],
  ['its code imports a part of it', { title: "`import x from 'redis/client'`" }, redis],
  ['its code calls its client', { title: 'Connect by `redis.createClient({ url })`' }, redis],
  ['its code calls it by its last name', { title: 'Route with `mux.NewRouter()`' }, mux],
  ['its code imports its path', { title: 'Start: `import "github.com/gorilla/mux"`' }, mux],
  ['its code is Ruby', { title: 'Cache it', details: "  - `require 'redis'`" }, gem],
  ['it is called a package', { title: 'Use the package yaml for it' }, yaml],
  ['it is called a library', { title: 'Parse it with the `pyyaml` library.' }, yaml],
  ['the file that it names imports it', { title: 'Fix `load` in `settings.py`' }, yaml],
  ['all its files import it', { files: ['settings.py', 'tests/test_settings.py'] }, yaml],
  ['its TypeScript file imports it', { title: 'Time out in src/store.ts' }, redis],
  ['its Go file imports it', { title: 'Add a route to `server.go`' }, mux],
  ['its Ruby file requires it', { title: 'Close it in lib/store.rb' }, gem],
])('a task needs it where %s', async (_, task, cause) => {
  expect(await skipped(task, cause)).toBeDefined()
})

it.each<[string, Partial<Task>, Diagnosis | undefined]>([
  ['another task', { title: 'Add a page' }, yaml],
  ['a word that is a name, too', { title: 'Handle yaml well, and import yaml files' }, yaml],
  ['a bare mention', { title: 'Accept `yaml` as a format' }, yaml],
  ['a mention in passing', { title: 'Name the queue `redis`, as on the server' }, redis],
  ['a key that is so called', { title: "Let `config['redis']` have a default" }, redis],
  ['a member of that name', { title: 'Call `app.redis.close()` at the end' }, redis],
  ['a relative import', { title: "Add `import redis from './redis.js'`" }, redis],
  ['a file of that name', { title: 'Write `src/yaml.py`' }, yaml],
  ['a file of its settings', { title: 'Read `redis.conf`' }, redis],
  ['another package that begins so', { title: '`require("redis-mock")`' }, redis],
  ['one that keeps it out', { title: 'Keep `yaml` out: no `import yaml` in the core' }, yaml],
  ['one that takes it out', { title: 'Remove `import yaml` from `settings.py`' }, yaml],
  ['one that replaces it', { title: 'Replace `mux.NewRouter()` by the standard one' }, mux],
  ['one that does without it', { title: 'Route in `server.go` without a library' }, mux],
  ['one that has another way', { title: 'Fall back to json when `import yaml` fails' }, yaml],
  ['one that is tested without it', { title: 'Mock `redis.createClient()` in its tests' }, redis],
  ['the task that brings it', { title: 'Install `yaml` for `settings.py`' }, yaml],
  ['one that declares it', { title: 'Use the package yaml', files: ['pyproject.toml'] }, yaml],
  ['one that declares it in words', { title: 'Add the `redis` gem to the Gemfile' }, gem],
  ['a file that gets on without it', { title: 'Fix `guarded.py`' }, yaml],
  ['a file that imports it later', { title: 'Fix `later.py`' }, yaml],
  ['a file that takes types of it', { title: 'Add a type to `src/types.ts`' }, redis],
  ['a file that has its name in it', { title: 'Shorten keys in `src/keys.js`' }, redis],
  ['one of several files', { title: 'Describe `settings.py` in `README.md`' }, yaml],
  ['a file that is an example', { title: 'Create `b.py`, like `settings.py`' }, yaml],
  [
    'one that writes a manifest of Java',
    { title: 'Use the package yaml', files: ['a/pom.xml'] },
    yaml,
  ],
  ['any task where a program lacks', { title: '`import yaml`' }, { ...yaml, language: undefined }],
  ['any task where nothing lacks', { title: '`import yaml`' }, undefined],
])('leaves %s to be tried', async (_, task, cause) => {
  expect(await skipped(task, cause)).toBeUndefined()
})
