import { describe, expect, it, test } from 'vitest'
import { readWorkspaceFile } from '../../../src/entry/config/read-workspace-file.ts'

const read = (text: string) => readWorkspaceFile('workspace.yml', text)
const two = 'repositories: { api: ../api, web-app: ../web }\n'

describe('readWorkspaceFile', () => {
  it('reads repositories and sets', () => {
    expect(read(`${two}sets:\n  pay: { tasks: [api:T-1, web-app:ENG-4], atomic: true }\n`)).toEqual(
      {
        repositories: { api: '../api', 'web-app': '../web' },
        sets: { pay: { tasks: ['api:T-1', 'web-app:ENG-4'], atomic: true } },
      },
    )
    expect(read(two).sets).toEqual({})
  })

  test.each<[string, string, RegExp]>([
    ['nothing', '', /repositories/],
    ['no repository', 'repositories: {}\n', /:1:15 repositories: must name a repository/],
    ['a list', '- api\n', /must be a list of keys and values/],
    ['an unknown key', `${two}repos: {}\n`, /repos/],
    ['a name that an id cannot begin with', 'repositories: { API: ../api }\n', /API/],
    ['a name with a colon', 'repositories: { "a:b": ../api }\n', /a:b/],
    ['an empty path', 'repositories: { api: "" }\n', /:1:22 repositories\.api/],
    ['a task without a repository', `${two}sets: { s: { tasks: [T-1] } }\n`, /:2:22 .*api:T-1/],
    ['a task that is none', `${two}sets: { s: { tasks: ["api:../x"] } }\n`, /api:T-1/],
    [
      'a task of no repository',
      `${two}sets: { s: { tasks: [docs:T-1] } }\n`,
      /:2:22 docs:T-1 is of no repository/,
    ],
    [
      'a task in two sets',
      `${two}sets: { a: { tasks: [api:T-1] }, b: { tasks: [web-app:T-2, api:T-1] } }\n`,
      /:2:\d+ api:T-1 is in a set already/,
    ],
    [
      'a task in two sets, in other letters',
      `${two}sets: { a: { tasks: [api:T-1] }, b: { tasks: [api:t-1] } }\n`,
      /api:t-1 is in a set already/,
    ],
    [
      'more repositories than anyone has',
      `repositories: { ${Array.from({ length: 101 }, (_, at) => `r${at}: a/r${at}`).join(', ')} }\n`,
      /at most 100/,
    ],
    ['a task twice in a set', `${two}sets: { a: { tasks: [api:T-1, api:T-1] } }\n`, /already/],
    [
      'two names of one repository',
      'repositories: { api: Ada/Api, web: ada/api }\n',
      /:1:\d+ web is the same repository as api/,
    ],
    ['a set without tasks', `${two}sets: { s: { tasks: [] } }\n`, /tasks/],
    ['an alias', 'repositories: { api: &a ../api, web: *a }\n', /alias/],
    ['broken YAML', 'repositories: {\n', /not plain YAML/],
    ['a name of every object', 'repositories: { __proto__: x }\n', /./],
  ])('refuses %s', (_, text, reason) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'config_invalid', message: expect.stringMatching(reason) }),
    )
  })
})
