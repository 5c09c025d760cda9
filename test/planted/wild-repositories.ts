import type { Finding } from './finding.ts'

const workspaceTest = 'test/adapters/git-workspace.test.ts'
const borrowed = 'test/adapters/git-workspace/borrowed-objects.test.ts'
const unwritable = 'src/tasks/start/why-unwritable.ts'
const unwritableTest = 'test/tasks/start/why-unwritable.test.ts'
const wrappings = 'packages/judge/test/answer/wrappings.test.ts'

/** Repositories as people have them: what was paid for, or lost, before it was said. */
export const wildRepositories: readonly Finding[] = [
  {
    of: '37',
    name: 'a branch in the place of ours is seen when it is too late',
    file: 'src/adapters/git-workspace/view.ts',
    find: 'if (inTheWay !== undefined) {',
    replace: "if (inTheWay?.name === '') {",
    ...{ test: workspaceTest, only: 'leaves no room' },
  },
  {
    of: '37',
    name: 'an obstacle in the own repository counts as a refusal by GitHub',
    file: 'src/adapters/git-workspace/local-upstream.ts',
    find: "return { status: 'refused', code: 'branch_refused', detail: run.stderr }",
    replace: "return { status: 'refused', code: 'forge_denied', detail: run.stderr }",
    ...{ test: workspaceTest, only: 'does not publish' },
  },
  {
    of: '37',
    name: 'the objects that a partial clone lacks are read as if they were there',
    file: 'src/adapters/git-workspace.ts',
    find: 'if (source !== null) await fetchMissing(clone, source, sha)',
    replace: 'if (source === null) await fetchMissing(clone, source as never, sha)',
    ...{ test: borrowed, only: 'partial clone' },
  },
  {
    of: '37',
    name: 'submodules stay empty',
    file: 'src/adapters/git-workspace/folders.ts',
    find: 'if (clone.modules !== undefined)',
    replace: "if (clone.modules === '')",
    ...{ test: borrowed, only: 'submodule' },
  },
  {
    of: '37',
    name: 'an import from a submodule counts as one of a missing file',
    file: 'packages/source/imports/find-broken-imports.ts',
    find: '!known.has(specifier) && !isElsewhere(path, specifier, paths)',
    replace: '!known.has(specifier) && isElsewhere.length > 0',
    test: 'packages/source/test/imports/find-broken-imports.test.ts',
  },
  {
    of: '37',
    name: 'a task about a link, or about text in another encoding, is paid for',
    file: 'src/graph/nodes/choose/pick-task.ts',
    find: 'const reason = await whyUnwritable(task, start.sha, ports.workspace)',
    replace: 'const reason = (await whyUnwritable(task, start.sha, ports.workspace)) && null',
    test: 'test/graph/nodes/choose/pick-task.test.ts',
  },
  {
    of: '37',
    name: 'data that a task names counts as a file to write',
    file: unwritable,
    find: 'isData.test(languageOf(path))',
    replace: "languageOf(path) === 'none'",
    test: unwritableTest,
  },
  {
    of: '37',
    name: 'a name with accents in another form is another file',
    file: 'packages/judge/answer/read-draft.ts',
    find: 'respell(bare.normalize(',
    replace: 'String(bare.normalize(',
    test: wrappings,
  },
  {
    of: '37',
    name: 'lines with accents in another form are not found',
    file: 'packages/judge/answer/diff/place-hunk.ts',
    find: "line.normalize('NFC')",
    replace: 'line',
    ...{ test: 'packages/judge/test/answer/apply-reply.test.ts', only: 'tolerates' },
  },
  {
    of: '37',
    name: 'a coloured diff is none',
    file: 'src/adapters/git-workspace/apply-patch.ts',
    find: 'if (coloured.test(text)) {',
    replace: "if (text === 'coloured') {",
    test: 'test/adapters/git-workspace/apply-patch.test.ts',
  },
  {
    of: '37',
    name: 'tests that watch for changes never end',
    file: 'packages/judge/detect/node-manifest.ts',
    find: ': [runOnce(part)]',
    replace: ': [part]',
    test: 'packages/judge/test/detect/detect-suites.test.ts',
  },
  {
    of: '37',
    name: 'a test that needs a repository fails without a word of why',
    file: 'packages/judge/results/results.ts',
    find: 'needsGit.test(message)',
    replace: "message === ''",
    ...{ test: 'packages/judge/test/results/readers.test.ts', only: 'needs a repository' },
  },
]
