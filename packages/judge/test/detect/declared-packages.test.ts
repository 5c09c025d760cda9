import { expect, it } from 'vitest'
import { declaredPackages } from '../../detect/declared-packages.ts'

it.each<[string, string, readonly string[]]>([
  [
    'web/package.json',
    '{"name": "me", "dependencies": {"lodash": "1"}, "devDependencies": {"@types/node": "*"}, "scripts": {"a": "b"}}',
    ['lodash', '@types/node'],
  ],
  [
    'composer.json',
    '{"require": {"monolog/monolog": "^3"}, "require-dev": {"phpunit/phpunit": "*"}}',
    ['monolog/monolog', 'phpunit/phpunit'],
  ],
  [
    'requirements-dev.txt',
    '# all\nPyYAML>=6\nrequests[socks]==2 ; python_version > "3"\n-r other.txt\n',
    ['PyYAML', 'requests'],
  ],
  ['pyproject.toml', '[project]\ndependencies = ["attrs>=23", "rich"]\n', ['attrs', 'rich']],
  ['setup.py', 'setup(install_requires=["attrs>=23", "rich"])\n', ['attrs', 'rich']],
  ['setup.cfg', '[options]\ninstall_requires =\n  attrs>=23\n', ['install_requires', 'attrs']],
  ['Pipfile', '[packages]\nflask = "*"\n', ['flask']],
  [
    'Cargo.toml',
    '[dependencies]\nserde = "1"\ntokio.workspace = true\n[dependencies.rand]\nversion = "1"\n',
    ['serde', 'tokio', 'rand'],
  ],
  [
    'go.mod',
    'module me\n\nrequire (\n\tgithub.com/a/b v1.2.3\n)\nrequire golang.org/x/text v0.3.0\n',
    ['github.com/a/b', 'golang.org/x/text'],
  ],
  ['Gemfile', "source 'https://rubygems.org'\ngem 'rack', '~> 3'\ngem('rake')\n", ['rack', 'rake']],
  [
    'app/App.csproj',
    '<PackageReference Include="Newtonsoft.Json" Version="13" />',
    ['Newtonsoft.Json'],
  ],
])('reads the packages of %s', (path, text, names) => {
  expect(declaredPackages(path, text)).toEqual(expect.arrayContaining([...names]))
})

it.each([
  ['package.json', '{'],
  ['package.json', '[]'],
  ['package.json', 'null'],
  ['package.json', '{"dependencies": null, "devDependencies": "lodash"}'],
  ['src/index.js', 'import "lodash"'],
  ['go.mod', ''],
])('finds none in %s: %s', (path, text) => {
  expect(declaredPackages(path, text)).toEqual([])
})
