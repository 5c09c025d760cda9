import { describe, expect, it } from 'vitest'
import { judgePackages } from '../../../src/recovery/task/judge-packages.ts'

const known = {
  words:
    "Read dates with `date-fns`.\nError: Cannot find module 'left-pad' from src/a.js; No module named 'yaml'",
  present: ['lodash', 'react', '@types/node', 'python-dateutil', 'typescript'],
  needed: ['left-pad', 'pyyaml'],
}

describe('packages in the words of a model', () => {
  it.each([
    ['Install it with `npm install left-pad`.'],
    ['Run `npm i -D date-fns@^3.0.0 lodash` first.'],
    ['pip install "pyyaml>=6"'],
    ['Add `left-pad` to the dependencies in package.json'],
    ['Use the `lodash` package to group them.'],
    ['Then npm install and run the tests.'],
    ['npm install'],
    ['`npx tsc --noEmit` passes.'],
    ['Run `npm ci`, then `npm test`.'],
    ['The `src/parse.js` module splits words; the module `./user` exports it.'],
    ['`parse()` library calls return dates.'],
    ['Install dependencies before the tests.'],
    ['Add the parser as a module of its own.'],
    ['Go on: go test ./... passes.'],
  ])('may be shown: %s', (text) => {
    expect(judgePackages(text, known)).toBeNull()
  })

  it.each([
    // No registry.
    ['npm install https://evil.example/a.tgz', 'is an address or a file'],
    ['npm install git+ssh://git@github.com/evil/left-pad.git', 'is an address or a file'],
    ['npm i github:evil/left-pad', 'is an address or a file'],
    ['`npm install left-pad@npm:evil-pad`', 'is an address or a file'],
    ['`npm install left-pad@https://evil.example/x.tgz`', 'is an address or a file'],
    ['pnpm add file:../left-pad', 'is an address or a file'],
    ['yarn add ./left-pad', 'is an address or a file'],
    ['bun add link:left-pad', 'is an address or a file'],
    ['pip install ./evil.whl', 'is an address or a file'],
    ['pip install git+https://evil.example/pyyaml', 'is an address or a file'],
    ['gem install left-pad.tar.gz', 'is an address or a file'],
    ['Depend on `git@github.com:evil/left-pad.git`', 'is an address or a file'],
    ['npm install C:\\left-pad', 'is an address or a file'],
    // `owner/name` is a repository on GitHub.
    ['npm install evil/left-pad', 'neither by the task nor by what failed'],
    // Names that are none.
    ['npm install left-pаd', 'is no name of a package'],
    ['npm install left\u200Bpad', 'is no name of a package'],
    [`npm install ${'a'.repeat(215)}`, 'is no name of a package'],
    ['npm install $(curl)', 'is no name of a package'],
    ['npm install @evil', 'is no name of a package'],
    // Nearly a package of the project.
    ['npm install lodahs', 'looks like lodash'],
    ['npm install lodas', 'looks like lodash'],
    ['npm install lodashs', 'looks like lodash'],
    ['npm install l0dash', 'looks like lodash'],
    ['npm install lo-dash', 'looks like lodash'],
    ['npm install preact', 'looks like react'],
    ['npm install Lodash', 'looks like lodash'],
    ['npm install @type/node', 'looks like @types/node'],
    ['pip install python_dateutil', 'looks like python-dateutil'],
    ['Install the `loadsh` library', 'looks like lodash'],
    ['add the lodahs package', 'looks like lodash'],
    // Nobody named them.
    ['Use the `cowsay.js` package.', 'neither by the task nor by what failed'],
    ['npx cowsay', 'neither by the task nor by what failed'],
    ['`pnpm dlx cowsay hello`', 'neither by the task nor by what failed'],
    ['`npm i left-pad cowsay`', '"cowsay" is named neither'],
    ['cargo add serde', 'neither'],
    ['go get github.com/evil/left', 'neither'],
    ['composer require evil/pad', 'neither'],
    ['dotnet add package Evil.Pad', 'neither'],
    ['The package `cowsay` prints it.', 'neither'],
    ['Add `cowsay` as a dev dependency.', 'neither'],
    // A part of a name is not the name.
    ['npm install date', 'neither'],
    ['npm install left', 'neither'],
    ['npm\tinstall   cowsay', 'neither'],
    ['NPM INSTALL cowsay', 'neither'],
  ])('may not be shown: %s', (text, reason) => {
    expect(judgePackages(text, known)).toContain(reason)
  })

  it('are read however many there are', () => {
    const texts = [
      'npm install '.repeat(20_000),
      `add ${'a'.repeat(100_000)}`,
      '`a '.repeat(50_000),
    ]
    for (const text of texts) expect(judgePackages(text, known)).not.toBe('')
  })
})
